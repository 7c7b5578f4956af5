/** A parameter's value as a person would write it in a spec. */
import { formatRate, formatSize, formatTime } from '@weir/engine'
import type { Param, ParamValue } from '@weir/schemes'

export function written({ unit }: Param, value: ParamValue): string {
  if (typeof value !== 'number') return String(value)
  if (unit === 'time') return formatTime(value)
  if (unit === 'rate') return formatRate(value)
  if (unit === 'size') return formatSize(value)
  return String(Number(value.toPrecision(10)))
}
