import type { Scheme, SchemeCard } from '@weir/schemes'

/** What a scheme's card must say to a spec; tests make their own. */
export type Card = Pick<
  SchemeCard,
  'name' | 'needs' | 'params' | 'ordered' | 'presets' | 'transport' | 'service' | 'isManaged'
> &
  Partial<Pick<Scheme, 'create' | 'routing'>>
