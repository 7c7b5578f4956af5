/** The types of packed.mjs, for its test. */
export interface Packed {
  readonly tarball: string
  readonly files: readonly string[]
}

export interface Answer {
  readonly fingerprint: string
  readonly p99: number
}

export declare class Project {
  readonly folder: string
  path(name: string): string
  write(name: string, text: string): void
  weir(args: readonly string[], node?: string): string
  run(command: string, args: readonly string[]): string
  imported(node?: string): Answer
  bundled(): Promise<Answer>
  typeCheck(): void
}

export declare function pack(
  folder: string,
  options?: { readonly isBuilt?: boolean; readonly isLab?: boolean },
): Packed
export declare function freshProject(
  folder: string,
  tarball: string,
  more?: readonly string[],
): Project
