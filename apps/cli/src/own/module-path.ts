/** Is it a file, and not a name: does it have a folder or an ending of a module? */
export function isModulePath(text: string): boolean {
  return /[/\\]|\.[cm]?[jt]s$/u.test(text)
}
