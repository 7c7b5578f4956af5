/**
 * A built-in scenario: a spec's text under a name. Text, so that it reads as a user's own would.
 */
export interface Scenario {
  readonly name: string
  /** YAML; see docs/spec.md. */
  readonly text: string
}
