/**
 * A log-linear histogram: each power of two is cut into 64 bins of equal width, so that any whole
 * value up to 2^53 is kept to within 0.8%, and exactly below 128, in fixed memory. G. Tene's
 * HdrHistogram is the model. Values are bytes or picoseconds; weights are counts, or the time for
 * which a queue had that length.
 *
 * The bin is read off the bits of the float: exponent and the first six bits of the mantissa, which
 * rise with the value. No logarithm, and `add` allocates nothing. 8 bytes a bin: 13 KB for values
 * up to 64 MB.
 */

const BINS_A_DOUBLING = 64
/** The upper half of a float64 has 20 bits of mantissa: six of them are kept. */
const SHIFT = 14
/** The upper half of 1.0, shifted: the first bin above that of 0. */
const FIRST = 1023 * BINS_A_DOUBLING

export class Histogram {
  readonly #weights: Float64Array
  readonly #bits: DataView = new DataView(new ArrayBuffer(8))
  #total = 0
  #sum = 0
  #min = Infinity
  #max = -Infinity

  /** Values above `valueMax` are counted in the last bin; `max` is exact all the same. */
  constructor(valueMax: number = Number.MAX_SAFE_INTEGER) {
    if (!(valueMax >= 1)) {
      throw new RangeError(`A histogram up to ${valueMax} holds nothing; give at least 1.`)
    }
    this.#bits.setFloat64(0, valueMax)
    this.#weights = new Float64Array((this.#bits.getUint32(0) >>> SHIFT) - FIRST + 2)
  }

  /** Counts a whole value of 0 or more; below 1 counts as 0. A weight of 0 changes nothing. */
  add(value: number, weight = 1): void {
    if (!(weight > 0)) return
    const bin = this.#bin(value)
    this.#weights[bin] = this.#weights[bin]! + weight
    this.#total += weight
    this.#sum += value * weight
    if (value < this.#min) this.#min = value
    if (value > this.#max) this.#max = value
  }

  /** Adds all that another histogram, made with the same `valueMax`, has counted. */
  merge(other: Histogram): void {
    if (other.#weights.length !== this.#weights.length) {
      throw new RangeError('Histograms of different range cannot be merged; give both one maximum.')
    }
    this.addWords(Float64Array.from(other.words()))
  }

  /** All that it has counted, in numbers; and such numbers of another one, to be added. */
  words(): number[] {
    return [this.#total, this.#sum, this.#min, this.#max, ...this.#weights]
  }

  addWords([total, sum, min, max, ...weights]: Float64Array): void {
    this.#total += total as number
    this.#sum += sum as number
    this.#min = Math.min(this.#min, min as number)
    this.#max = Math.max(this.#max, max as number)
    weights.forEach((weight, bin) => (this.#weights[bin] = this.#weights[bin]! + weight))
  }

  /** Sum of all weights. */
  get total(): number {
    return this.#total
  }

  /** Exact; NaN while empty. */
  get min(): number {
    return this.#total === 0 ? NaN : this.#min
  }

  /** Exact; NaN while empty. */
  get max(): number {
    return this.#total === 0 ? NaN : this.#max
  }

  /** Exact, and weighted; NaN while empty. */
  get mean(): number {
    return this.#total === 0 ? NaN : this.#sum / this.#total
  }

  /** The value at the nearest rank of this fraction of the weight, to 0.8%; NaN while empty. */
  percentile(q: number): number {
    if (!(q >= 0 && q <= 1)) {
      throw new RangeError(`A percentile of ${q} is none; give a fraction from 0 to 1.`)
    }
    if (this.#total === 0) return NaN
    const wanted = q * this.#total * (1 - 1e-12)
    let passed = 0
    for (let bin = 0; bin < this.#weights.length; bin++) {
      passed += this.#weights[bin]!
      if (passed >= wanted && passed > 0) {
        return Math.min(this.#max, Math.max(this.#min, this.#middle(bin)))
      }
    }
    return this.#max
  }

  /** The bins that hold something, in order: values from `from` up to, and without, `to`. */
  *bins(): Generator<{ from: number; to: number; weight: number }> {
    for (let bin = 0; bin < this.#weights.length; bin++) {
      const weight = this.#weights[bin]!
      if (weight > 0) yield { from: this.#lowest(bin), to: this.#lowest(bin + 1), weight }
    }
  }

  #bin(value: number): number {
    if (!(value >= 1)) return 0
    this.#bits.setFloat64(0, value)
    const bin = (this.#bits.getUint32(0) >>> SHIFT) - FIRST + 1
    return bin < this.#weights.length ? bin : this.#weights.length - 1
  }

  #lowest(bin: number): number {
    if (bin === 0) return 0
    this.#bits.setUint32(0, ((bin - 1 + FIRST) << SHIFT) >>> 0)
    this.#bits.setUint32(4, 0)
    return this.#bits.getFloat64(0)
  }

  /** The middle of the whole values in a bin; a narrow bin holds one, which is its lower end. */
  #middle(bin: number): number {
    const from = this.#lowest(bin)
    const width = this.#lowest(bin + 1) - from
    return width > 1 ? from + (width - 1) / 2 : from
  }
}
