/** What the lanes' results say, side by side, and the differences in sentences. */
import type { VNode } from 'preact'
import { findings, measures, valueText } from '../model/compare.ts'
import { html } from './html.ts'
import type { ShownLane } from './plots.ts'

export function Findings({ lanes }: { readonly lanes: readonly ShownLane[] }): VNode {
  const done = lanes.flatMap((lane) => {
    const result = lane.result ?? (lane.failure === undefined ? lane.oldResult : undefined)
    const isOld = lane.result === undefined
    return result === undefined ? [] : [{ title: lane.title, result, isOld }]
  })
  if (done.length === 0) {
    return html`<section class="findings" aria-label="Results">
      <h2>Results</h2>
      <p class="hint">They stand here when the run is over.</p>
    </section>`
  }
  const isOld = done.some((lane) => lane.isOld)
  const said = findings(done)
  const shown = measures.filter((measure) =>
    done.some(({ result }) => Number.isFinite(measure.of(result))),
  )
  return html`<section class=${isOld ? 'findings old' : 'findings'} aria-label="Results">
    <h2>Results${isOld ? ' of the run before' : ''}</h2>
    ${
      said.length > 0 &&
      html`<ul class="said">
        ${said.map(({ sentence }) => html`<li>${sentence}</li>`)}
      </ul>`
    }
    <div class="scroll" tabindex="0" role="region" aria-label="Table of results">
      <table id="results">
        <thead>
          <tr>
            <th scope="col">measure</th>
            ${done.map(({ title }) => html`<th scope="col">${title}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            (measure) =>
              html`<tr>
                <th scope="row">${measure.name}</th>
                ${done.map(({ result }) => html`<td>${valueText(measure, result)}</td>`)}
              </tr>`,
          )}
          <tr>
            <th scope="row">fingerprint</th>
            ${done.map(
              (lane) =>
                html`<td>
                  <code class=${lane.isOld ? 'old-print' : 'print'}
                    >${lane.result.fingerprint}</code
                  >
                </td>`,
            )}
          </tr>
        </tbody>
      </table>
    </div>
    ${done.flatMap(({ title, result }) =>
      result.warnings.map((warning) => html`<p class="warning">${title}: ${warning}.</p>`),
    )}
  </section>`
}
