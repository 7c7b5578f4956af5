/** What is looked at: a port or a flow, by name, so that it is the same in every lane. */
export interface Pin {
  readonly kind: 'port' | 'flow'
  readonly name: string
}

/** With the pin, or without it if it was there. */
export function toggled(pins: readonly Pin[], pin: Pin): readonly Pin[] {
  const others = pins.filter(({ name }) => name !== pin.name)
  return others.length < pins.length ? others : [...pins, pin]
}
