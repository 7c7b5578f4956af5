/**
 * A bound on the array buffers of a worker that runs a user's scheme. The browser ends a process
 * whose JavaScript heap is full, and the sandboxed frame has one of its own, but array buffers lie
 * outside that heap and could fill the machine. Counts what is alive: collected buffers are given
 * back. A buffer that can grow counts with all that it may grow to, and what holds memory in other
 * ways, or speaks for the run, is not there for a scheme.
 */
const LIVE_BYTES_MAX = 1 << 30

/** A scheme needs none of these; each could hold memory that nobody counts, or post messages. */
const TAKEN_AWAY = [
  ...['WebAssembly', 'SharedArrayBuffer', 'OffscreenCanvas', 'ImageData', 'createImageBitmap'],
  ...['structuredClone', 'TextEncoder', 'TextEncoderStream', 'CompressionStream', 'VideoFrame'],
  ...['DecompressionStream', 'FileReader', 'FileReaderSync', 'MessageChannel', 'MessagePort'],
  ...['BroadcastChannel', 'Worker', 'SharedWorker', 'Blob', 'File', 'postMessage', 'AudioData'],
]

/** Call when what the run itself needs of them has been taken. */
export function takeAway(): void {
  const world = globalThis as unknown as Record<string, unknown>
  for (const name of TAKEN_AWAY) {
    for (
      let at: object | null = globalThis;
      at !== null;
      at = Object.getPrototypeOf(at) as object
    ) {
      if (Object.hasOwn(at, name)) Reflect.deleteProperty(at, name)
    }
    Object.defineProperty(world, name, { value: undefined, writable: false, configurable: false })
  }
}

type Constructor = new (...given: unknown[]) => { readonly byteLength: number }

export function limitBuffers(): void {
  let liveBytes = 0
  const registry = new FinalizationRegistry<number>((bytes) => {
    liveBytes -= bytes
  })
  const allow = (asked: number): void => {
    if (liveBytes + asked <= LIVE_BYTES_MAX) return
    throw new RangeError('the scheme holds more than 1 GiB of arrays: that is its bound here')
  }
  const keep = (made: object, asked: number): void => {
    // Small ones are what every run makes; they are bounded by the heap's own objects.
    if (asked <= 65536) return
    liveBytes += asked
    registry.register(made, asked)
  }
  limitCopies(allow, keep)
  const names = ['ArrayBuffer', 'SharedArrayBuffer', 'Int8Array', 'Uint8Array', 'Int16Array']
  names.push('Uint8ClampedArray', 'Uint16Array', 'Int32Array', 'Uint32Array', 'Float32Array')
  names.push('Float64Array', 'BigInt64Array', 'BigUint64Array')
  const world = globalThis as unknown as Record<string, Constructor | undefined>
  for (const name of names) {
    const original = world[name]
    if (original === undefined) continue
    const unit = (original as unknown as { BYTES_PER_ELEMENT?: number }).BYTES_PER_ELEMENT ?? 1
    const limited = new Proxy(original, {
      construct(target, given, newTarget) {
        const asked = askedBytes(given, unit)
        allow(asked)
        const made = Reflect.construct(target, given, newTarget) as object
        keep(made, asked)
        return made
      },
    })
    world[name] = limited
    ;(original.prototype as { constructor: unknown }).constructor = limited
  }
}

/** A length, an array or what looks like one, or a buffer that may grow. */
function askedBytes([first, second]: readonly unknown[], unit: number): number {
  const most = (second as { maxByteLength?: unknown } | undefined)?.maxByteLength
  if (typeof most === 'number') return most
  if (typeof first === 'number') return first * unit
  if (typeof first !== 'object' || first === null || 'byteLength' in first) {
    return ArrayBuffer.isView(first) ? first.byteLength : 0
  }
  const { length } = first as { length?: unknown }
  return typeof length === 'number' ? length * unit : 0
}

type Method = (this: { readonly byteLength: number }, ...given: unknown[]) => object

/** Methods that make an array or a buffer without asking a constructor. */
function limitCopies(
  allow: (bytes: number) => void,
  keep: (made: object, bytes: number) => void,
): void {
  const typed = Object.getPrototypeOf(Int8Array.prototype) as Record<string, Method>
  const buffer = ArrayBuffer.prototype as unknown as Record<string, Method>
  for (const [prototype, names] of [
    [typed, ['toSorted', 'toReversed', 'with']],
    [buffer, ['transfer', 'transferToFixedLength']],
  ] as const) {
    for (const name of names) {
      const original = prototype[name]
      if (original === undefined) continue
      prototype[name] = function (...given) {
        const isLonger = prototype === buffer && typeof given[0] === 'number'
        const asked = isLonger ? (given[0] as number) : this.byteLength
        allow(asked)
        const made = original.apply(this, given)
        keep(made, asked)
        return made
      }
    }
  }
}
