import { cpSync } from 'node:fs';
import { deskPage, openSyncPlan, sendButton, syncResult } from './desk-page.ts';
import { expect, test } from './fixture.ts';
import { handsOn } from './hands.ts';
import { startBuiltHost } from './host-process.ts';

test(
  'of an account whose folder was copied, nothing is sent until it is said which of the two goes on',
  {
    tag: ['@accounts', '@long'],
  },
  async ({ page, adslate, dataDir, context }, info) => {
    await deskPage(page).ready();
    await deskPage(page).newManual('Twice', '', '75');
    // An end in order leaves whole files behind, as a user would copy them.
    await adslate.restart('SIGTERM');
    await deskPage(page).ready();
    await adslate.kill();

    /** A copy of the whole data folder, open in a window of its own. */
    const inCopy = async (name: string, run: (copy: typeof page) => Promise<void>): Promise<void> => {
      const folder = info.outputPath(name);
      cpSync(dataDir, folder, { recursive: true, preserveTimestamps: true });
      const host = await startBuiltHost(['--data', folder, '--practice']);
      const copy = await context.newPage();
      try {
        await copy.goto(host.url);
        await deskPage(copy).ready();
        await run(copy);
      } finally {
        await copy.close();
        await host.stop();
      }
    };
    const question = 'The account folder was copied, and both copies are on this computer';

    await inCopy('goes-on', async (copy) => {
      await openSyncPlan(copy);
      await sendButton(copy).click();
      await expect(
        copy.getByText(/^The account folder was copied, and both copies are on this computer/).first(),
      ).toBeVisible();
      await copy.keyboard.press('Escape');
      await handsOn(copy).command('backups');
      const backups = copy.getByRole('region', { name: 'Backups' });
      await expect(backups).toContainText(question);
      await backups.getByRole('button', { name: 'Use this one' }).click();
      await expect(backups.getByText(question)).toBeHidden();
      await copy.keyboard.press('Escape');
      await openSyncPlan(copy);
      await sendButton(copy).click();
      await expect(syncResult(copy)).toBeVisible();
    });

    await inCopy('only-looks', async (copy) => {
      await handsOn(copy).command('backups');
      const backups = copy.getByRole('region', { name: 'Backups' });
      await backups.getByRole('button', { name: 'Make this copy read-only' }).click();
      await expect(backups.getByText(question)).toBeHidden();
      await copy.keyboard.press('Escape');
      await copy.keyboard.press('Control+Enter');
      await expect(sendButton(copy)).toBeDisabled();
    });
  },
);
