/** The page of pictures in the docs: a contact sheet per story, of the gallery and per paper. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { stories } from '../stories/index.ts'
import { writeSheet } from './sheets.ts'

const VIEWS = ['1280', '1920', 'phone'].flatMap((size) =>
  ['light', 'dark'].map((scheme) => ({ size, scheme })),
)
const COLUMNS = VIEWS.map(({ size }) =>
  size === 'phone'
    ? { width: 130, tall: 2.2 }
    : { width: 330, tall: size === '1280' ? 0.71 : 0.57 },
)
const LONG_COLUMNS = COLUMNS.map(({ width, tall }) => ({ width, tall: tall > 2 ? 3.4 : 1.3 }))
/** Rows of a sheet. */
const ROWS = 6

const HEAD = [
  '# Pictures of the lab\n',
  'Taken in Chromium by `WEIR_SHOTS=<folder> npx vitest run apps/lab/src/shots`, which runs',
  'every step of every story, every card and every figure once and sees it at 1280 and 1920',
  'pixels and as wide as a phone, light and dark; with `WEIR_SHOTS_PAGE=1` this page is made of',
  'them. Each row is a step or a figure; the columns are 1280 light and dark, 1920 light and',
  'dark, phone light and dark.\n',
].join('\n')

/** Sections of the page as it is, by title. */
function sectionsOf(path: string): Map<string, string> {
  const [, ...sections] = existsSync(path) ? readFileSync(path, 'utf8').split(/^## /mu) : []
  return new Map(sections.map((text) => [text.slice(0, text.indexOf('\n')), text] as const))
}

/**
 * `shots`: where the screenshots are; `docs`: the folder of the docs. What was not taken again
 * stays as it is.
 */
export async function writePicturesPage(
  page: Page,
  shots: string,
  docs: string,
  figures: readonly { readonly id: string; readonly title: string }[],
): Promise<void> {
  const folder = join(docs, 'images', 'lab')
  mkdirSync(folder, { recursive: true })
  const words: string[] = [HEAD]
  const before = sectionsOf(join(docs, 'lab-pictures.md'))
  const filesOf = (name: string): string[] =>
    VIEWS.map(({ size, scheme }) => join(shots, `${name}-${size}-${scheme}.png`))
  const add = async (
    title: string,
    name: string,
    rows: readonly { readonly name: string; readonly title: string }[],
    columns: typeof COLUMNS,
  ): Promise<void> => {
    const taken = rows.filter((one) => filesOf(one.name).some((file) => existsSync(file)))
    if (taken.length === 0) {
      const old = before.get(title)
      if (old !== undefined) words.push(`## ${old.trimEnd()}\n`)
      return
    }
    words.push(`## ${title}\n`)
    for (let i = 0; i < taken.length; i += ROWS) {
      const some = taken.slice(i, i + ROWS)
      const file = `${name}${i === 0 ? '' : `-${i / ROWS + 1}`}.webp`
      const files = some.map((one) => filesOf(one.name))
      await writeSheet(page, { to: join(folder, file), rows: files, columns })
      const said = some.map((one) => one.title).join(' · ')
      words.push(`${said}\n\n![${title}: ${said.replaceAll(/[[\]]/gu, '')}](images/lab/${file})\n`)
    }
  }
  await add('The gallery', 'gallery', [{ name: 'gallery', title: 'All cards' }], LONG_COLUMNS)
  for (const { name, title, steps } of stories) {
    const rows = steps.map((step, i) => ({ name: `story-${name}-${i}`, title: step.title }))
    await add(title, `story-${name}`, rows, COLUMNS)
  }
  const papers = new Map<string, { name: string; title: string }[]>()
  for (const { id, title } of figures) {
    const [paper = ''] = id.split('/')
    const list = papers.get(paper) ?? []
    list.push({ name: `figure-${id.replace('/', '-')}`, title })
    papers.set(paper, list)
  }
  for (const [paper, rows] of papers) {
    await add(`Figures: ${paper}`, `figures-${paper}`, rows, LONG_COLUMNS)
  }
  writeFileSync(join(docs, 'lab-pictures.md'), `${words.join('\n').trimEnd()}\n`)
}
