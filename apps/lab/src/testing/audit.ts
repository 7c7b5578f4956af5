/**
 * A check of a page in the manner of lighthouse, run inside it: what has no name, what has too
 * little contrast, what is too small to hit, what the page as a whole lacks. Each finding names the
 * element.
 */
import type { Page } from 'playwright-core'

export async function audit(page: Page): Promise<string[]> {
  const found = [await page.evaluate(faultsOfElements), await page.evaluate(faultsOfPage)]
  return [...new Set(found.flat())]
}

// Both functions are handed to the page as they are, and use nothing from outside themselves.

function faultsOfElements(): string[] {
  const found: string[] = []
  const isShown = (element: Element): boolean => {
    const box = element.getBoundingClientRect()
    const { visibility, display } = getComputedStyle(element)
    return box.width > 1 && box.height > 1 && visibility === 'visible' && display !== 'none'
  }
  const call = (element: Element): string =>
    `<${element.tagName.toLowerCase()} id="${element.id}" class="${element.className}"> ` +
    (element.textContent ?? '').trim().slice(0, 30)
  const nameOf = (element: Element): string => {
    const labels = (element as HTMLInputElement).labels
    const said = element.getAttribute('aria-label') ?? element.getAttribute('title') ?? ''
    const label = labels === undefined || labels === null ? '' : (labels[0]?.textContent ?? '')
    const isField = /^(INPUT|SELECT|TEXTAREA|PROGRESS)$/u.test(element.tagName)
    return (said || label || (isField ? '' : (element.textContent ?? ''))).trim()
  }
  type Colour = [number, number, number, number]
  const colourOf = (text: string): Colour => {
    const parts = (/rgba?\(([^)]+)\)/u.exec(text)?.[1] ?? '0,0,0,0').split(/[,/ ]+/u).map(Number)
    return [parts[0] ?? 0, parts[1] ?? 0, parts[2] ?? 0, parts[3] ?? 1]
  }
  const behind = (element: Element): Colour => {
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      const colour = colourOf(getComputedStyle(at).backgroundColor)
      if (colour[3] > 0.99) return colour
    }
    return [255, 255, 255, 1]
  }
  const light = ([r, g, b]: Colour): number => {
    const [x, y, z] = [r, g, b].map((value) => {
      const part = value / 255
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    }) as [number, number, number]
    return 0.2126 * x + 0.7152 * y + 0.0722 * z
  }
  const contrast = (a: Colour, b: Colour): number => {
    const [high, low] = [Math.max(light(a), light(b)), Math.min(light(a), light(b))]
    return (high + 0.05) / (low + 0.05)
  }

  const reachable =
    'button, a[href], input, select, textarea, summary, [tabindex="0"], progress, canvas'
  for (const element of document.querySelectorAll(reachable)) {
    // What is drawn inside a picture is named by the picture.
    const isPart = element.parentElement?.closest('[role=img]') !== null
    if (!isShown(element) || isPart) continue
    if (nameOf(element) === '') found.push(`no name: ${call(element)}`)
    const { height, width } = element.getBoundingClientRect()
    const isTarget = /^(BUTTON|SELECT|INPUT|SUMMARY)$/u.test(element.tagName)
    const isHidden = element.classList.contains('off-screen')
    if (isTarget && !isHidden && (height < 23.5 || width < 16)) {
      found.push(`too small (${Math.round(width)} x ${Math.round(height)}): ${call(element)}`)
    }
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement
    if ((node.textContent ?? '').trim() === '' || element === null || !isShown(element)) continue
    if (element.closest('[aria-hidden=true], :disabled') !== null) continue
    const ratio = contrast(colourOf(getComputedStyle(element).color), behind(element))
    if (ratio < 4.5) found.push(`contrast ${ratio.toFixed(2)}: ${call(element)}`)
  }
  return found
}

function faultsOfPage(): string[] {
  const found: string[] = []
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
  ids.forEach((id, i) => {
    if (ids.indexOf(id) !== i) found.push(`two elements are called ${id}`)
  })
  if (document.querySelectorAll('h1').length !== 1) found.push('there is not one h1')
  if (document.documentElement.lang === '') found.push('the page names no language')
  for (const landmark of ['main', 'nav', 'header']) {
    if (document.querySelector(landmark) === null) found.push(`there is no ${landmark}`)
  }
  return found
}
