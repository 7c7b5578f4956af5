/** The gallery: cards with living pictures, grouped by what they teach. */
import type { VNode } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { gallery } from '../model/gallery.ts'
import type { GalleryCard } from '../model/gallery.ts'
import { html } from './html.ts'
import { Thumbs } from './thumbs.ts'

interface GalleryProps {
  go(hash: string): void
}

export function GalleryView({ go }: GalleryProps): VNode {
  const groups = useMemo(gallery, [])
  const thumbs = useMemo(() => new Thumbs(), [])
  useEffect(() => () => thumbs.end(), [thumbs])
  return html`<div class="gallery">
    ${groups.map(
      ({ title, about, cards }) =>
        html`<section key=${title} aria-label=${title}>
          <h2>${title}</h2>
          <p class="hint">${about}</p>
          <ul class="wall">
            ${cards.map(
              (card) => html`<${Card} key=${card.id} card=${card} thumbs=${thumbs} go=${go} />`,
            )}
          </ul>
        </section>`,
    )}
  </div>`
}

function Card(props: { card: GalleryCard; thumbs: Thumbs; go(hash: string): void }): VNode {
  const { card, thumbs, go } = props
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (canvas.current !== null) thumbs.add(canvas.current, card.picture, card.trace)
  }, [card, thumbs])
  return html`<li>
    <button class="wall-card" data-card=${card.id} onClick=${() => go(card.hash)}>
      <canvas ref=${canvas} class="thumb" aria-hidden="true" aria-label="Picture"></canvas>
      <strong>${card.title}</strong>
      <span>${card.look}</span>
    </button>
  </li>`
}
