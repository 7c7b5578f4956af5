/**
 * The page's side of the TypeScript worker: questions and answers, the worker made when first
 * asked.
 */
import type { TypesAnswer, TypesQuestion } from './types-worker.ts'

let worker: Worker | undefined
let lastId = 0
const waiting = new Map<number, (answer: TypesAnswer) => void>()

export function askTypes(
  ask: TypesQuestion['ask'],
  text: string,
  position: number = 0,
): Promise<TypesAnswer> {
  if (worker === undefined) {
    worker = new Worker(new URL('types-worker.js', document.baseURI))
    worker.onmessage = (event: MessageEvent<TypesAnswer>): void => {
      waiting.get(event.data.id)?.(event.data)
      waiting.delete(event.data.id)
    }
  }
  const id = ++lastId
  const question: TypesQuestion = { id, ask, text, position }
  return new Promise((resolve) => {
    waiting.set(id, resolve)
    worker?.postMessage(question)
  })
}

/** JavaScript of a scheme; throws a sentence if its TypeScript cannot be read. */
export async function compileScheme(typescript: string): Promise<string> {
  const { javascript, problems } = await askTypes('compile', typescript)
  const first = problems[0]
  if (first === undefined) return javascript
  throw new Error(`line ${first.line} of the scheme: ${first.message}`)
}
