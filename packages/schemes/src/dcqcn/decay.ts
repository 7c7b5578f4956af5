import { pow } from '@weir/engine'

/** x^n by products where that is cheap: the same in every engine. */
export function decay(x: number, n: number): number {
  if (n > 64) return pow(x, n)
  let product = 1
  for (let i = 0; i < n; i++) product *= x
  return product
}
