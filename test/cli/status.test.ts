import { expect, test } from 'vitest';
import { statusCommand } from '../../main/hosts/cli/commands/status.ts';
import { createOutput } from '../../main/hosts/cli/output.ts';
import { aCoreWithPractice } from '../core/a-core.ts';

/** How an account stands, as a person and as a program are told. */
async function status(json: boolean, freeBytes: number): Promise<string> {
  const { client, workspaceId } = await aCoreWithPractice({ freeBytes: async () => freeBytes });
  let out = '';
  const output = createOutput(json, {
    out: (text) => {
      out += text;
    },
    err: () => {},
  });
  const context = { output, atAccount: async () => ({ client: client(), workspaceId }) };
  expect(await statusCommand.run(context as Parameters<typeof statusCommand.run>[0])).toBe(0);
  return out;
}

test('a person reads what differs, what is open, what the hour allows and that the disk runs full', async () => {
  const out = await status(false, 300 * 2 ** 20);
  expect(out).toMatch(/^0 rows changed here, 0 held back\.\n0 errors, 0 warnings\.\n0 conflicts, 0 questions\.\n/);
  expect(out).toContain('takes 3000 of 3000 elements');
  expect(out).toContain('Only 300 MiB are free');
});

test('a program gets the same as one object, and null for a disk with room', async () => {
  expect(JSON.parse(await status(true, 2 ** 40))).toMatchObject({
    changed: 0,
    conflicts: 0,
    budgetPerHour: 3000,
    lowSpaceBytes: null,
  });
});
