/**
 * The JSON Schema that gives editors completion and red underlines: the same codecs that read
 * a spec, with the catalogue of schemes put in. A spec that this accepts can still be refused (it
 * knows no topology, so no host's name); one that it refuses is always wrong.
 */
import { paramCodec, schemes } from '@weir/schemes'
import type { SchemeCard } from '@weir/schemes'
import { specCodec } from './schema.ts'

type Json = Record<string, unknown>

export function jsonSchema(cards: readonly SchemeCard[] = schemes): Json {
  const properties = specCodec.json['properties'] as Json
  return {
    // Draft 7 is what the YAML and JSON support of editors knows best.
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...specCodec.json,
    title: 'Weir scenario',
    description: 'A fabric, its traffic and a congestion control scheme; see docs/spec.md.',
    properties: { ...properties, scheme: schemeJson(cards) },
  }
}

/** A scheme by name alone, or a mapping whose presets and parameters are that scheme's own. */
function schemeJson(cards: readonly SchemeCard[]): Json {
  const names = cards.map(({ name }) => name)
  return {
    description: 'The congestion control: a name, or a mapping with name, preset and params.',
    anyOf: [
      names.length === 0 ? { type: 'string' } : { type: 'string', enum: names },
      ...cards.map((card) => ({
        type: 'object',
        title: card.title,
        properties: {
          name: { const: card.name },
          preset: { enum: Object.keys(card.presets) },
          params: paramsJson(card),
          ...(card.isManaged === true ? { changes: changesJson(card) } : {}),
        },
        required: ['name'],
        additionalProperties: false,
      })),
    ],
  }
}

function paramsJson(card: SchemeCard): Json {
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(card.params).map(([name, param]) => [name, paramCodec(param).json]),
    ),
    additionalProperties: false,
  }
}

function changesJson(card: SchemeCard): Json {
  return {
    type: 'array',
    description: 'Parameters that are others at some places, or from some time on.',
    items: {
      type: 'object',
      properties: {
        at: { type: ['string', 'number'] },
        where: { type: 'array', items: { type: 'string' } },
        params: paramsJson(card),
      },
      required: ['params'],
      additionalProperties: false,
    },
  }
}
