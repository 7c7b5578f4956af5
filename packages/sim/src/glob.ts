/** Names of series by pattern: `*` stands for anything, `?` for one character. */
export function makeMatcher(patterns: readonly string[]): (name: string) => boolean {
  const expressions = patterns.map((pattern) => {
    const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&')
    return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`)
  })
  return (name) => expressions.some((expression) => expression.test(name))
}
