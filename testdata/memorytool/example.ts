// Claude with a memory that git keeps: one `cp-memory tool` answers the commands of the memory tool.
//
//   npm install @anthropic-ai/sdk
//   node example.ts "Remember that I like coffee."
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import Anthropic from '@anthropic-ai/sdk';
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory';
import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';

const tool = spawn('cp-memory', ['tool', '--agent', 'example'], { stdio: ['pipe', 'pipe', 'inherit'] });
const answers = createInterface({ input: tool.stdout })[Symbol.asyncIterator]();

// Answers come in the order of the commands.
async function answer(command: object): Promise<string> {
  tool.stdin.write(JSON.stringify(command) + '\n');
  const line = await answers.next();
  if (line.done) throw new Error('cp-memory tool has ended');
  const result = JSON.parse(line.value);
  if (result.is_error) throw new ToolError(result.content);
  return result.content;
}

const message = await new Anthropic().beta.messages.toolRunner({
  model: process.env.MODEL ?? 'claude-sonnet-5-5',
  max_tokens: 4096,
  tools: [betaMemoryTool({ view: answer, create: answer, str_replace: answer, insert: answer, delete: answer, rename: answer })],
  messages: [{ role: 'user', content: process.argv[2] }],
});
for (const block of message.content) {
  if (block.type === 'text') console.log(block.text);
}
tool.stdin.end();
