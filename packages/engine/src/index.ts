export { Random } from './random.ts'
export { exp, ln, pow } from './portable-math.ts'
