/** As much of jsdom as the figures need; its own types would bring a browser's globals to all. */
declare module 'jsdom' {
  export class JSDOM {
    constructor(html: string, options?: { readonly contentType?: string })
    readonly window: {
      readonly document: unknown
      readonly XMLSerializer: new () => { serializeToString(node: unknown): string }
    }
  }
}
