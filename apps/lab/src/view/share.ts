/** Taking it away: the link, the command line, and the plots as PNG, SVG and CSV. */
import type { VNode } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { csvOf } from '../export/csv.ts'
import { save } from '../export/save.ts'
import { pngOf } from '../export/png.ts'
import { svgOf } from '../export/svg.ts'
import { commandsOf, fileNameOf } from '../model/command.ts'
import { textOf } from '../model/experiment.ts'
import { hashOf } from '../model/link.ts'
import type { Session } from '../model/session.ts'
import { html } from './html.ts'
import type { PlotRow } from './plots.ts'

interface ShareProps {
  readonly session: Session
  readonly rows: () => readonly PlotRow[]
}

export function Share({ session, rows }: ShareProps): VNode {
  const [said, say] = useState('')
  const { experiment } = session
  // A command needs the whole spec, topology and all; the view is drawn at every piece of news.
  const commands = useMemo(() => commandsOf(experiment), [experiment])
  const copy = async (text: string, what: string): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      say(`${what} copied.`)
    } catch {
      say(`The browser does not let the page copy; here it is: ${text}`)
    }
  }
  const copyLink = async (): Promise<void> => {
    const url = new URL(location.href)
    url.hash = await hashOf(experiment)
    await copy(url.href, 'Link')
  }
  // It stands alone, so that it can be loaded when it is wanted.
  const takeScene = (): void => {
    void save(
      'weir-scene.png',
      import('../export/scene.ts').then(({ sceneOf }) => sceneOf()),
    )
  }
  return html`<section class="share" aria-label="Take away">
    <h2>Take away</h2>
    <div class="row wrap">
      <button onClick=${copyLink} id="copy-link">Copy link</button>
      <button onClick=${() => copy(commands.join('\n'), 'Command')}>Copy command</button>
      <button id="save-scene" onClick=${takeScene}>Network as PNG</button>
      <button onClick=${() => save('weir-lab.png', pngOf(rows()))}>PNG</button>
      <button onClick=${() => save('weir-lab.svg', svgOf(rows()), 'image/svg+xml')}>SVG</button>
      <button onClick=${() => save('weir-lab.csv', csvOf(rows()), 'text/csv')}>CSV</button>
      <button onClick=${() => save(fileNameOf(experiment), textOf(experiment), 'text/yaml')}>
        Spec
      </button>
    </div>
    <pre class="command" id="command" tabindex="0" aria-label="Command line">
${commands.join('\n')}</pre>
    ${
      experiment.text !== '' &&
      html`<p class="hint">The spec is your own: save it first, as ${fileNameOf(experiment)}.</p>`
    }
    <p class="hint" role="status">${said}</p>
    <p class="hint"><a href="notices.html">Libraries in this page, and their licences</a></p>
  </section>`
}
