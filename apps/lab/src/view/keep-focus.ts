/**
 * The focus never falls to the body, where a person who does not see the page would have to begin
 * again: when what has it goes away (a guess that was made, a button that is no longer needed),
 * what it stood in takes it.
 */
export function keepFocus(): void {
  /** What has the focus, and what that stands in, from the inside out. */
  let around: HTMLElement[] = []
  addEventListener('focusin', ({ target }) => {
    around = []
    for (let at = target; at instanceof HTMLElement; at = at.parentElement) around.push(at)
  })
  const look = (): void => {
    requestAnimationFrame(look)
    if (document.activeElement !== document.body || around.length === 0) return
    const [was, ...others] = around
    around = []
    // It is still there: the person has clicked beside it.
    if (isThere(was!)) return
    const next = others.find((one) => one !== document.body && isThere(one))
    if (next === undefined) return
    if (!next.hasAttribute('tabindex')) next.tabIndex = -1
    next.focus({ preventScroll: true })
  }
  requestAnimationFrame(look)
}

function isThere(element: HTMLElement): boolean {
  const isOff = (element as HTMLButtonElement).disabled === true
  return element.isConnected && !isOff && element.getClientRects().length > 0
}
