/** `weir schema`: the JSON Schema of scenarios, with which an editor checks and completes them. */
import process from 'node:process'
import { Command } from 'commander'
import { checkWritable, writeWhole } from '../write-file.ts'

const EXAMPLES = `
Examples:
  weir schema > scenario.schema.json
  weir schema --out docs/schema/weir.schema.json

  then, as the first line of a scenario:
  # yaml-language-server: $schema=./scenario.schema.json
`

export function schemaCommand(): Command {
  return new Command('schema')
    .description('print the JSON Schema of scenario files, for editors')
    .option('--out <file>', 'write it to a file')
    .addHelpText('after', EXAMPLES)
    .action(async (options: { readonly out?: string }) => {
      const { jsonSchema } = await import('@weir/sim')
      const text = JSON.stringify(jsonSchema(), null, 2) + '\n'
      if (options.out === undefined) process.stdout.write(text)
      else {
        checkWritable([options.out])
        writeWhole(options.out, text)
      }
    })
}
