export * from './codec.ts'
export { forms, type Forms } from './forms.ts'
export { kinds, type Choice } from './kinds.ts'
export { nearMiss } from './near-miss.ts'
export {
  bound,
  count,
  isText,
  list,
  name,
  orAuto,
  rate,
  ratio,
  readNumber,
  size,
  text,
  time,
  word,
  wrong,
  yesOrNo,
  type QuantityRange,
} from './quantities.ts'
export { pathText, Refusal, type SpecPath } from './refusal.ts'
export {
  as,
  is,
  isMapping,
  orFrom,
  section,
  type Also,
  type Field,
  type Fields,
  type Literal,
  type Section,
} from './section.ts'
export { didYouMean, either, nearest, show } from './words.ts'
