/**
 * Units of the models' parameters, by name: a name means the same in every model and, as a test
 * sees to, in every scheme. What is not listed is a plain number or a word.
 */
export type ParamUnit = 'time' | 'size' | 'rate'

const UNITS: Readonly<Record<ParamUnit, readonly string[]>> = {
  time: [
    ...['cnpInterval', 'decreaseInterval', 'alphaInterval', 'increaseTimer', 'interval'],
    ...['cnpSpacing', 'tLow', 'tHigh', 'minRtt', 'baseRtt'],
  ],
  size: ['byteCounter', 'kmin', 'kmax', 'k1', 'k10', 'segment', 'qref', 'reference'],
  rate: ['rateAi', 'rateHai', 'stepReference', 'minRate', 'referenceRate', 'delta'],
}

export function unitOf(name: string): ParamUnit | undefined {
  return (['time', 'size', 'rate'] as const).find((unit) => UNITS[unit].includes(name))
}
