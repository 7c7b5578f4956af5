/** `weir/theory`: exact max-min rates, fluid models of schemes, margins, routes and their loads. */
export * from '@weir/theory'
