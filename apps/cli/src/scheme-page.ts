/**
 * The pages of docs/schemes, which the program carries. They are a tenth of its text, so they are
 * a file of their own that `weir explain` alone loads.
 */

/** JSON of the pages by name, put in by the build and by vitest: see scripts/scheme-pages.mjs. */
declare const WEIR_SCHEME_PAGES: string

export function schemePage(name: string): string {
  const pages = JSON.parse(WEIR_SCHEME_PAGES) as Readonly<Record<string, string>>
  return pages[name] ?? ''
}
