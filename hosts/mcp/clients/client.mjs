// A client written with the official TypeScript SDK: it lists the tools, asks
// retrieve, lets the SDK validate the structure against the output schema, replays
// the result, and sends arguments that are wrong.
//
//   node client.mjs COMMAND ARGUMENT…
import assert from 'node:assert/strict'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

const [command, ...args] = process.argv.slice(2)
const client = new Client({ name: 'rookhaven-test', version: '1.0.0' })
await client.connect(new StdioClientTransport({ command, args, stderr: 'inherit', env: { ...process.env } }))

const { tools } = await client.listTools()
assert.deepEqual(tools.map(tool => tool.name).sort(), ['replay', 'retrieve'])

const result = await client.callTool({ name: 'retrieve', arguments: { query: 'crane faults and tide windows', recallBudget: 4, explain: true } })
assert.ok(!result.isError)
assert.equal(result.structuredContent.hits.length, 4)
assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent)

const verdict = await client.callTool({ name: 'replay', arguments: { reply: result.content[0].text } })
assert.equal(verdict.structuredContent.verdict, 'MATCH')

const wrong = await client.callTool({ name: 'retrieve', arguments: { query: 'x', recalBudget: 1 } })
assert.ok(wrong.isError)
assert.match(wrong.content[0].text, /^ARGUMENT_UNKNOWN: .*did you mean "recallBudget"\?$/)

await assert.rejects(client.callTool({ name: 'nothing', arguments: {} }), { code: -32602 })
await client.ping()
await client.close()
console.log('PASS')
