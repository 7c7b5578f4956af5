/** What every page is made of: text made safe, and the frame that needs nothing else. */
import { style } from './style.ts'

export function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

export function pageHtml(title: string, body: readonly string[]): string {
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escape(title)} - Weir</title>`,
    `<style>${style}</style></head><body>`,
    ...body,
    '</body></html>\n',
  ].join('\n')
}
