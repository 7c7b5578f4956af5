import type { Plugin } from 'esbuild'

export const PLAIN_FIELD: RegExp
export const plainFields: Plugin
export function withPlainFields(text: string, path: string): string
