/**
 * ln, exp, pow, sin, cos and atan2 from IEEE arithmetic alone. ECMAScript leaves the last digit of
 * Math.log and its relatives to the engine, and a run must give the same bytes in every browser; +,
 * -, *, / and Math.sqrt are exact everywhere. Errors are below 4 ulp over the ranges that
 * simulations use.
 */

const LN2 = 0.6931471805599453
/**
 * ln 2 in two parts: the high one has zeros below, so that k * LN2_HIGH is exact for |k| < 2^20.
 */
const LN2_HIGH = 0.69314718036912381649
const LN2_LOW = 1.90821492927058770002e-10

/** Natural logarithm; NaN below 0, -Infinity at 0. */
export function ln(x: number): number {
  if (!(x > 0)) return x === 0 ? -Infinity : NaN
  if (x === Infinity) return Infinity
  // x = m * 2^k with m in [sqrt(1/2), sqrt(2)): scaling by powers of two is exact.
  let k = 0
  let m = x
  while (m >= 4294967296) ((m /= 4294967296), (k += 32))
  while (m < 1 / 4294967296) ((m *= 4294967296), (k -= 32))
  while (m >= 1.4142135623730951) ((m /= 2), k++)
  while (m < 0.7071067811865476) ((m *= 2), k--)
  // ln m = 2 atanh(s) with s = (m - 1) / (m + 1), |s| < 0.1716: s^2 < 0.0295, eleven terms reach
  // 1e-17.
  const s = (m - 1) / (m + 1)
  const z = s * s
  let sum = 0
  for (let n = 23; n >= 3; n -= 2) sum = z * (1 / n + sum)
  return k * LN2_HIGH + (2 * s + (2 * s * sum + k * LN2_LOW))
}

export function exp(x: number): number {
  if (x !== x) return NaN
  if (x > 709.782712893384) return Infinity
  if (x < -745.1332191019411) return 0
  const k = Math.round(x / LN2)
  const r = x - k * LN2_HIGH - k * LN2_LOW
  // |r| < 0.35: fourteen terms of the series reach 1e-17.
  let sum = 1
  for (let n = 14; n >= 1; n--) sum = 1 + (r * sum) / n
  return scale(sum, k)
}

/** x^y for x >= 0. */
export function pow(x: number, y: number): number {
  if (y === 0) return 1
  if (x === 0) return y > 0 ? 0 : Infinity
  return exp(y * ln(x))
}

/** pi / 2 in three parts, so that whole multiples up to 2^20 are taken off without rounding. */
const HALF_PI_HIGH = 1.57079632673412561417
const HALF_PI_MIDDLE = 6.0771005063039659766e-11
const HALF_PI_LOW = 2.02226624879595063154e-21
const HALF_PI = 1.5707963267948966

/** Sine of an angle in radians, for |x| below a million. */
export function sin(x: number): number {
  const quarter = Math.round(x / HALF_PI)
  return quadrant(reduced(x, quarter), quarter)
}

export function cos(x: number): number {
  const quarter = Math.round(x / HALF_PI)
  return quadrant(reduced(x, quarter), quarter + 1)
}

/** Angle of the point (x, y) from the x axis, in -pi..pi; 0 at the origin. */
export function atan2(y: number, x: number): number {
  if (y !== y || x !== x) return NaN
  const isSteep = Math.abs(y) > Math.abs(x)
  const ratio = isSteep ? x / y : y === 0 ? 0 : y / x
  // Two halvings of the angle bring |ratio| <= 1 below 0.2; eleven terms reach 1e-17.
  const half = ratio / (1 + Math.sqrt(1 + ratio * ratio))
  const r = half / (1 + Math.sqrt(1 + half * half))
  const z = r * r
  let sum = 0
  for (let n = 25; n >= 3; n -= 2) sum = z * (1 / n - sum)
  const angle = 4 * (r - r * sum)
  if (isSteep) return (y > 0 ? HALF_PI : -HALF_PI) - angle
  if (x < 0) return y >= 0 ? angle + 2 * HALF_PI : angle - 2 * HALF_PI
  return angle
}

function reduced(x: number, quarter: number): number {
  return x - quarter * HALF_PI_HIGH - quarter * HALF_PI_MIDDLE - quarter * HALF_PI_LOW
}

/** sin(r + quarter * pi / 2) for |r| <= pi / 4. */
function quadrant(r: number, quarter: number): number {
  const z = r * r
  const isCosine = (quarter & 1) !== 0
  let sum = 1
  for (let n = 20; n >= 2; n -= 2) sum = 1 - (z * sum) / (isCosine ? n * (n - 1) : n * (n + 1))
  const value = isCosine ? sum : r * sum
  return (quarter & 2) !== 0 ? -value : value
}

function scale(x: number, k: number): number {
  let factor = 1
  let base = k < 0 ? 0.5 : 2
  let n = Math.abs(k)
  // Two steps for the extremes, so that the factor itself neither overflows nor vanishes early.
  if (n > 1000) {
    x *= k < 0 ? 2 ** -500 : 2 ** 500
    n -= 500
  }
  while (n > 0) {
    if (n & 1) factor *= base
    base *= base
    n >>= 1
  }
  return x * factor
}
