/** Names of series by pattern: `*` stands for anything, `?` for one character. */
export class Patterns {
  readonly #expressions: readonly { readonly pattern: string; readonly expression: RegExp }[]
  /** Patterns that no name has met yet. */
  readonly unmet: Set<string>

  constructor(patterns: readonly string[]) {
    this.#expressions = patterns.map((pattern) => {
      const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&')
      const expression = new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`)
      return { pattern, expression }
    })
    this.unmet = new Set(patterns)
  }

  matches(name: string): boolean {
    let isMet = false
    for (const { pattern, expression } of this.#expressions) {
      if (!expression.test(name)) continue
      isMet = true
      this.unmet.delete(pattern)
    }
    return isMet
  }
}
