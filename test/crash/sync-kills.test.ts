import { expect, test } from 'vitest';
import { playKills } from './sync-kills.ts';
import { playUploadKills } from './upload-kills.ts';

/**
 * A few of the thousand that `npm run test:sync-kills` plays. With this seed five of the six die after they have
 * opened their workspace, however slow the machine, and one of these while it announces an edit.
 */
test.each([
  ['documented calls alone', false],
  ['the extensions', true],
])(
  'with %s nothing is lost or made twice when processes are killed at random moments',
  async (_, extensions) => {
    const kills = await playKills({ kills: 6, seed: 4243, extensions });
    expect(kills).toMatchObject({ kills: 6, lost: [], twice: [], wrongIds: [], unsettled: [] });
    expect(kills.working).toBeGreaterThan(4);
    expect(kills.made).toBeGreaterThan(5);
  },
  180_000,
);

test('a process killed in the middle of an upload leaves no second video and keeps its memory flat', async () => {
  const kills = await playUploadKills({ kills: 3, bytes: 96 * 1024 * 1024, seed: 7 });
  expect(kills).toMatchObject({ kills: 3, media: 1, available: true });
  expect(kills.bytesSent).toBeGreaterThan(1024 * 1024);
  expect(kills.grownMb).toBeLessThan(64);
}, 120_000);
