/**
 * A bound on the array buffers of a worker that runs a user's scheme. The browser ends a process
 * whose JavaScript heap is full, and the sandboxed frame has one of its own, but array buffers lie
 * outside that heap and could fill the machine. Counts what is alive: collected buffers are given
 * back.
 */
const LIVE_BYTES_MAX = 1 << 30

type Constructor = new (...given: unknown[]) => { readonly byteLength: number }

export function limitBuffers(): void {
  let liveBytes = 0
  const registry = new FinalizationRegistry<number>((bytes) => {
    liveBytes -= bytes
  })
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
        const asked = typeof given[0] === 'number' ? given[0] * unit : 0
        if (liveBytes + asked > LIVE_BYTES_MAX) {
          throw new RangeError('the scheme holds more than 1 GiB of arrays: that is its bound here')
        }
        const made = Reflect.construct(target, given, newTarget) as object
        // Small ones are what every run makes; they are bounded by the heap's own objects.
        if (asked > 65536) {
          liveBytes += asked
          registry.register(made, asked)
        }
        return made
      },
    })
    world[name] = limited
    ;(original.prototype as { constructor: unknown }).constructor = limited
  }
}
