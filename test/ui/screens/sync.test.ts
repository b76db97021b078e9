import { readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ORPCError } from '@orpc/client';
import { expect as check, test } from 'vitest';
import { asRowId } from '../../../shared/model/scalars.ts';
import { cli } from '../../cli/cli.ts';
import { after } from '../answering.ts';
import { faults, fileAt, openApp, step } from '../app.tsx';
import { expect, page } from '../page.ts';

/** The page of a sync, from its plan to its results. */
const sync = page.getByRole('main', { name: 'Sync plan' });
const sendButton = sync.getByRole('button', { name: /^Send \d+ changes? to Practice$/ });
const result = sync.getByRole('heading', {
  level: 1,
  name: /^((\d+ of|All) \d+ changes are|The change is) on the service$/,
});

/** Sends the plan that is open, and leaves the results. */
async function send(): Promise<void> {
  await sendButton.click();
  await expect(result).toBeVisible();
  await sync.getByRole('button', { name: 'Done' }).click();
}

test('bids with a misplaced decimal point are named beside the plan that sends them, each name once', async () => {
  const app = await openApp();
  await app.newManual('Lights', 'night light\texact\t9999', '40');
  await app.newManual('Lamps', 'reading lamp\texact\t1.50\nnight light\texact\t9999', '75');
  await page.keyboard.press('Control+Enter');
  const warnings = sync.getByRole('region', { name: 'Warnings' });
  await expect(warnings).toContainText('Keyword bid very high');
  await expect(warnings).toContainText('night light, exact, 1 more');
  await warnings.getByRole('button', { name: 'Go to row: Keyword bid very high' }).click();
  await expect(page.locator('#grid-active-cell')).toHaveText(/9,999/);
});

test('the daily budgets of the plan tell two campaigns of one name apart', async () => {
  const app = await openApp({
    main: ({ sync: operations }) => ({
      'sync.plan': async (...call) => {
        const found = await operations.plan(...call);
        // As the service lets two have it.
        const campaigns = found.budgets.campaigns.map((each) => ({ ...each, label: 'Lamps' }));
        return { ...found, budgets: { ...found.budgets, campaigns } };
      },
    }),
  });
  await app.newManual('Lamps one', 'reading lamp\texact\t1.50', '75');
  await app.newManual('Lamps two', 'night light\texact\t1.60', '40');
  await page.keyboard.press('Control+Enter');
  // No budget is known on the service, which may have campaigns that it does not list.
  const outlook = sync.getByRole('region', { name: 'Daily budgets' });
  await expect(outlook).toContainText('Lamps');
  await expect(outlook).not.toContainText('today, all campaigns');
  await send();
  const rows = await app.rows({ kind: 'campaign' });
  await app.edit({ kind: 'campaign' }, 'dailyBudget', 8000);
  await page.keyboard.press('Control+Enter');
  const budgets = sync.getByRole('region', { name: 'Daily budgets' }).getByRole('listitem');
  for (const { remoteId } of rows) await expect(budgets.filter({ hasText: `Lamps ID ${remoteId}` })).toHaveCount(1);
});

test('the first campaigns that a plan submits are named, and what happens before', async () => {
  const app = await openApp({
    main: ({ sync: operations }) => ({
      'sync.plan': async (...call) => {
        const found = await operations.plan(...call);
        const effects = { ...found.effects, review: 2, submitted: ['Pots', 'Pans', 'Lids', 'Cups'] };
        return { ...found, reviews: 5, uploads: [{ mediaId: asRowId(1), file: 'film.mp4', bytes: 9 }], effects };
      },
    }),
  });
  await app.newManual('Lamps', 'reading lamp\texact\t1.50', '75');
  await page.keyboard.press('Control+Enter');
  await expect(sync.getByText('Pots, Pans, Lids, 2 more')).toBeVisible();
  // A video profile is sent only after its video is processed, so the plan names the second sync that this needs.
  await expect(sync.getByRole('region', { name: 'After you send' })).toContainText(
    /1 video uploaded.*Sync again when it is ready.*5 campaigns submitted for review.*2 need review/,
  );
});

test('a rejected review names its rows with what the reviewer wrote', async () => {
  const app = await openApp({
    main: () => ({
      'review.list': async () => [
        {
          ...{ campaignId: asRowId(1), adGroupId: asRowId(2), campaign: 'Rolls', reviewId: '9', status: 'rejected' },
          components: [{ type: 'adItem', id: '7', label: 'Kitchen Roll', status: 'rejected', reason: 'Not ready' }],
        },
      ],
    }),
  });
  await page.keyboard.press('Alt+Shift+3');
  await expect(app.drawer.getByRole('listitem').filter({ hasText: 'Rolls' })).toContainText('Kitchen Roll: Not ready');
});

test('the list of syncs that cannot be read says why, and is read again on request', async () => {
  let isBroken = true;
  const app = await openApp({
    main: ({ rollback }) => ({
      'rollback.runs': after(() => {
        if (isBroken) throw new ORPCError('NOT_WRITABLE', { defined: true, data: { why: 'disk-full' } });
      }, rollback.runs),
    }),
  });
  await app.command('roll back');
  await expect(page.getByText('The disk is full.')).toBeVisible();
  isBroken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('No sync to roll back')).toBeVisible();
});

test('values that cannot be read count among what needs attention', async () => {
  const app = await openApp({
    main: ({ sync: operations }) => ({
      'sync.report': async (...call) => {
        const found = await operations.report(...call);
        const unreadable = [{ kind: 'campaign', label: 'Lamps', field: 'Status', value: '7' }] as never;
        return found === null ? null : { ...found, unreadable, unreadableMore: 2 };
      },
    }),
  });
  await app.newManual('Lamps', 'reading lamp\texact\t1.50', '75');
  await page.keyboard.press('Control+Enter');
  await sendButton.click();
  const attention = sync.getByRole('region', { name: 'Needs attention' });
  await expect(attention.getByRole('heading', { name: /^Needs attention/ })).toHaveText('Needs attention 3');
});

test('a plan that takes long says how far it is', async () => {
  const planned = Promise.withResolvers<void>();
  let isPlanning = false;
  const app = await openApp({
    main: (client) => ({
      'app.events': (async (...call: Parameters<typeof client.app.events>) => {
        async function* withProgress() {
          for await (const event of await client.app.events(...call)) {
            yield event;
            if (!isPlanning || event.type !== 'workspace.changed') continue;
            const { workspaceId } = event;
            const task = { taskId: 'planning', task: 'plan', canCancel: false, rows: null, isOver: false } as const;
            yield { type: 'task.progress' as const, workspaceId, share: 0.424, ...task };
          }
        }
        return withProgress();
      }) as never,
      'sync.plan': after(() => {
        isPlanning = true;
        return planned.promise;
      }, client.sync.plan),
    }),
  });
  await app.newManual('Lamps', 'reading lamp\texact\t1.50', '75');
  await page.keyboard.press('Control+Enter');
  await expect(sync).toContainText('Preparing the sync plan…');
  await app.edit({ kind: 'campaign' }, 'name', 'Lights');
  await expect(sync).toContainText('Preparing the sync plan… 42%');
  planned.resolve();
  await expect(sendButton).toBeVisible();
});

test('the filters of a plan count nothing before its list has come', async () => {
  const listed = Promise.withResolvers<void>();
  const app = await openApp({
    main: (client) => ({
      'sync.planLines': after(() => listed.promise, client.sync.planLines),
    }),
  });
  await app.newManual('Lamps', 'reading lamp\texact\t1.50', '75');
  await page.keyboard.press('Control+Enter');
  const filters = sync.getByRole('group', { name: 'Filter changes' }).getByRole('button');
  await expect(filters.first()).toHaveText('All ');
  listed.resolve();
  await expect(filters.first()).toHaveText(/^All [1-9]/);
});

test('the sync button tells the changes that it does not count', async () => {
  const app = await openApp();
  await app.newManual('Lamps', 'reading lamp\texact\t1.50', '75');
  await app.openList('Keywords');
  await (await app.cell('reading lamp', 'Keyword')).click();
  const button = page.getByRole('button', { name: /^Sync \d+ changes?$/ });
  await app.command('put on hold');
  await expect(button).toHaveAttribute('title', /1 not included: the sync plan has the reasons$/);
});

test('the results of the last sync are shown again from the overview and the inbox, also after a restart', async () => {
  const app = await openApp();
  await app.newManual('Lamps', 'reading lamp\texact\t1.50', '75');
  await page.keyboard.press('Control+Enter');
  await send();
  await app.restart();
  await page.keyboard.press('Alt+1');
  await page.getByRole('button', { name: 'Show results' }).click();
  await expect(result).toBeVisible();
  // The list of its rows ended with the program.
  await expect(sync).toContainText('The rows of this sync are in the history.');
  await sync.getByRole('button', { name: 'Done' }).click();
  await app.navigation.getByRole('button', { name: /^Inbox/ }).click();
  const inbox = page.getByRole('main', { name: 'Inbox' });
  await inbox
    .getByRole('option')
    .filter({ hasText: /^Sync finished/ })
    .click();
  await inbox.getByRole('button', { name: /^Show/ }).click();
  await expect(result).toBeVisible();
});

test('the results count every row that failed, and lead to those that are not listed', async () => {
  const app = await openApp();
  const many = Array.from({ length: 110 }, (_, at) => `lamp ${at}\texact\t1.50`);
  await app.newManual('Lamps', many.join('\n'), '75');
  await app.orderService('faults', {
    match: { method: 'POST', path: '/api/v1/keywords' },
    times: 500,
    kind: 'status',
    status: 400,
    body: { error: 'Not allowed' },
  });
  await page.keyboard.press('Control+Enter');
  await sendButton.click();
  const attention = sync.getByRole('region', { name: 'Needs attention' });
  await expect(attention.getByRole('heading', { name: /^Needs attention/ })).toContainText('110');
  await expect(attention).toContainText('and 10 more');
  await attention.getByRole('button', { name: 'Open inbox' }).last().click();
  await expect(page.getByRole('main', { name: 'Inbox' }).getByText('110 changes failed').first()).toBeVisible();
});

// --- chosen-rows
test('only the selected row is sent, with the new parents it needs; the rest stays until it is ticked', async () => {
  const app = await openApp();
  await app.newManual('Lamps', 'reading lamp\texact\t1.50\nnight light\texact\t1.60', '75');
  await app.openList('Keywords');
  const views = page.getByRole('tablist', { name: 'Views' });
  await expect(views.getByRole('tab', { name: 'Changed 2' })).toBeVisible();

  await step('from the grid', async () => {
    await (await app.cell('night light', 'Keyword')).click();
    await page.keyboard.press('Control+Shift+Enter');
    await expect(sync.getByText('Only 1 keyword.')).toBeVisible();
    await expect(sync.getByRole('region', { name: 'Also included' })).toContainText('Lamps');
    await expect(sync.getByRole('heading', { name: 'Sync plan: 3 changes' })).toBeVisible();
    await sync.getByRole('tab', { name: 'Not included 1' }).click();
    await expect(sync.getByText(/^Not submitted for review yet:/)).toBeVisible();
    expect(await faults('main')).toEqual([]);
    await send();
    await expect(views.getByRole('tab', { name: 'Changed 1' })).toBeVisible();
  });

  await step('by its check box in the plan', async () => {
    await (await app.cell('night light', 'Bid')).click();
    await page.keyboard.type('1.75');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Enter');
    await expect(sync.getByRole('heading', { name: 'Sync plan: 2 changes' })).toBeVisible();
    await sync.getByRole('checkbox', { name: /^Send keyword night light/ }).click();
    await expect(sync.getByRole('heading', { name: 'Sync plan: 1 change' })).toBeVisible();
    await expect(sync.getByText('1 of 2 selected')).toBeVisible();
    await expect(sync.getByRole('region', { name: 'Not included' })).toContainText('not selected');
    // Another window plans something else: what this one has not read by then, it plans again.
    await app.client().sync.plan({ workspaceId: app.workspaceId, campaignIds: [] });
    await sync.getByRole('button', { name: /^Needs review/ }).click();
    await expect(sync.getByRole('checkbox', { name: /^Send keyword night light/ })).toBeVisible();
    await sync.getByRole('button', { name: /^All/ }).click();
    await app.client().sync.plan({ workspaceId: app.workspaceId, campaignIds: [] });
    await sync.getByRole('tab', { name: 'Technical' }).click();
    await expect(sync.getByText('for 1 change.', { exact: false })).toBeVisible();
    await expect(sync.getByText(/^(Create|Update) 1 /)).toBeVisible();
    // So many other plans were made that nobody knows what this one said: nothing is sent, and the page stays as it is.
    for (let at = 0; at < 10; at++) {
      await app.client().sync.plan({ workspaceId: app.workspaceId, campaignIds: at % 2 === 0 ? [] : null });
    }
    await sendButton.click();
    await expect(page.getByText('Nothing was sent, because the plan changed. Look at it again.')).toBeVisible();
    await expect(sync.getByRole('tab', { name: 'Technical', selected: true })).toBeVisible();
    await sync.getByRole('tab', { name: 'Changes' }).click();
    await expect(sync.getByText('1 of 2 selected')).toBeVisible();
    await send();
    await expect(views.getByRole('tab', { name: 'Changed 1' })).toBeVisible();
  });

  await step('the plan of a read-only account is there to look at, and says why nothing is sent', async () => {
    await app.client().accounts.setMode({ workspaceId: app.workspaceId, mode: 'read-only' });
    await page.getByRole('button', { name: 'Sync plan', exact: true }).click();
    await expect(sync.getByText(/^This account is read-only\. To sync, change the sync mode/)).toBeVisible();
    await expect(sendButton).toBeDisabled();
  });
});

test('every change on hold is released, not only those that are named', async () => {
  const app = await openApp();
  const keywords = Array.from({ length: 30 }, (_, at) => `lamp number ${at}\texact\t1.50`).join('\n');
  await app.newManual('Many lamps', keywords, '75');
  const { workspaceId } = app;
  const rows = await app.rows({ kind: 'keyword' }, 50);
  const held = rows.map(({ id }) => ({ kind: 'keyword' as const, id }));
  expect(held).toHaveLength(30);
  await app.client().workspace.hold({ workspaceId, rows: held, held: true });
  await page.keyboard.press('Control+Enter');
  await sync.getByRole('tab', { name: 'Not included 30' }).click();
  await sync.getByRole('button', { name: 'Release from hold: On hold' }).click();
  await expect(sync.getByRole('tab', { name: 'Not included 0' })).toBeVisible();
  expect((await app.client().workspace.summary({ workspaceId })).held).toBe(0);
});

// --- after-sync
test('a sync is taken back: looked at, put into the drafts, and left for the next sync', async () => {
  const app = await openApp();
  await app.newManual('Sent too soon', 'garden hose\texact\t1.50\nhose reel\texact\t1.60', '75');

  await page.keyboard.press('Control+Enter');
  await sendButton.click();
  await expect(result).toBeVisible();
  await step('what was sent and what can be restored are told with their units', async () => {
    await expect(sync.getByRole('region', { name: 'Results' })).toContainText('4 changes sent');
    const rollback = sync.getByRole('region', { name: 'Rollback' });
    await expect(rollback).toContainText(/\d+ values can be restored as unsynced changes/);
    await expect(rollback).toContainText(/new or deleted rows?, uploads? or reviews? can't be rolled back/);
  });
  await step('the results keep the parts of the plan, as it was sent', async () => {
    await sync.getByRole('tab', { name: 'Technical' }).click();
    await expect(sync.getByText('Create 1 campaign')).toBeVisible();
    await expect(sync.getByRole('button', { name: 'Save plan' })).toHaveCount(0);
    await sync.getByRole('tab', { name: 'Not included 0' }).click();
    await expect(sync.getByText('Every change is included.')).toBeVisible();
    expect(await faults('main')).toEqual([]);
    await sync.getByRole('tab', { name: /^Results/ }).click();
  });
  await sync.getByRole('button', { name: 'Roll back this sync…' }).click();
  await expect(sync.getByText('Values to restore')).toBeVisible();
  await expect(sync.getByText("Can't be rolled back")).toBeVisible();
  expect(await faults('main')).toEqual([]);
  await sync.getByRole('button', { name: /^Restore \d+ values$/ }).click();
  await expect(sync.getByRole('heading', { name: /^Sync plan: [1-9]\d* changes$/ })).toBeVisible();
  await expect(sync.getByText('hose reel').first()).toBeVisible();
  await sync.getByRole('button', { name: 'Close' }).click();
  await app.drawer.getByRole('tab', { name: 'History' }).click();
  await app.drawer.getByRole('button', { name: 'Requests' }).click();
  const sent = app.drawer.getByRole('list', { name: 'Requests' }).getByRole('listitem');
  await expect(sent.first()).toBeVisible();
  const [id = ''] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(await sent.first().textContent()) ?? [];
  expect(id).not.toBe('');
  await app.drawer.getByLabel('Find by correlation ID, path or campaign').fill(id);
  await expect(sent).toHaveCount(1);
  await sent.getByRole('button').click();
  const request = page.getByRole('region', { name: /^(POST|PUT) \/api\// });
  await expect(request.getByText(/^done$/).first()).toBeVisible();
  await expect(request.getByText('"code":"success"', { exact: false }).first()).toBeVisible();
  expect(await faults('[role="tabpanel"]')).toEqual([]);
  await request.getByRole('button', { name: 'Close' }).last().click();
  await app.drawer.getByRole('tab', { name: /^Sync/ }).click();
  await expect(app.drawer.getByText('Changed: will be sent with the next sync')).toBeVisible();
  expect(await faults('[role="tabpanel"]')).toEqual([]);
});

test('what may be out of date is counted before it is read, and a campaign leads to the answer it was read from', async () => {
  const app = await openApp();
  await app.newManual('Read again', 'garden hose\texact\t1.50', '75');
  await page.keyboard.press('Control+Enter');
  await send();
  await app.openList('Campaigns');
  await (await app.cell('Read again', 'Campaign')).click();
  await expect(app.details.getByText('Last full refresh')).toBeVisible();
  await expect(app.details.getByText('never', { exact: true })).toBeVisible();

  await page.keyboard.press('Control+F9');
  const refresh = page.getByRole('region', { name: 'Outdated campaigns' });
  await expect(refresh.getByText('1 not refreshed in that time')).toBeVisible();
  expect(await faults('main')).toEqual([]);
  await step('an edit and a label are counted at once', async () => {
    const { workspaceId } = app;
    const ids = (await app.rows({ kind: 'campaign' })).map(({ id }) => id);
    const { notes, workspace } = app.client();
    await app.edit({ kind: 'campaign' }, 'dailyBudget', 8000);
    await expect(refresh.getByText('1 with unsynced changes')).toBeVisible();
    const label = await notes.saveLabel({ workspaceId, id: null, name: 'Keep fresh', color: '#336699' });
    await notes.label({ workspaceId, rows: [{ kind: 'campaign', ids }], add: [label.id], remove: [] });
    await expect(refresh.getByText('1 with the label "Keep fresh"')).toBeVisible();
    await notes.removeLabel({ workspaceId, id: label.id });
    await workspace.undo({ workspaceId });
    await expect(refresh.getByText('1 with', { exact: false })).toHaveCount(0);
  });
  await refresh.getByLabel('Refresh if older than (hours)').fill('many');
  await expect(refresh.getByText('Enter a whole number from 0 to 8,760.')).toBeVisible();
  await refresh.getByLabel('Refresh if older than (hours)').fill('12');
  await refresh.getByRole('button', { name: 'Refresh 1 campaign' }).click();
  await expect(refresh.getByText('1 campaign is up to date.')).toBeVisible();
  await page.keyboard.press('Escape');
  const read = app.details.getByRole('button', { name: /^Refreshed .+: show response$/ });
  await expect(read).toBeVisible();

  await read.click();
  const answer = page.getByRole('region', { name: /^GET \/api\// });
  await expect(answer.getByText(/^Received .+, status 200/)).toBeVisible();
  await expect(answer.getByText('They are shown as [removed]', { exact: false })).toBeVisible();
  expect(await faults('[role="tabpanel"]')).toEqual([]);
  const id = (await answer.getByText(/^Correlation id/i).textContent())?.split(' ').at(-1) ?? '';
  await answer.getByRole('button', { name: 'Close' }).last().click();
  await expect(answer).toBeHidden();
  const answers = app.drawer.getByRole('list', { name: 'Responses' }).getByRole('listitem');
  await expect(answers.nth(1)).toBeVisible();
  await app.drawer.getByLabel('Find by correlation ID, path or status').fill(id);
  await expect(answers).toHaveCount(1);
  expect(await faults('[role="tabpanel"]')).toEqual([]);

  await app.command('Storage limit');
  const settings = page.getByRole('region', { name: 'Response log' });
  await settings.getByLabel('Storage limit (MB)').fill('0');
  await settings.getByRole('button', { name: 'Save limit' }).click();
  await expect(settings.getByText('0 responses, 0 B')).toBeVisible();
});

// --- plan-file
test('a plan saved in the window runs on the command line, one saved there runs in the window, and edits since are listed', async () => {
  const app = await openApp();
  const file = (name: string): string => join(app.dataDir, name);
  const adslate = async (...args: readonly string[]): Promise<string> => (await cli(app.dataDir, ...args)).out;
  await app.newManual('Lamps', 'reading lamp\texact\t1.50', '75');

  await step('saved in the window', async () => {
    await page.keyboard.press('Control+Enter');
    await sync.getByRole('tab', { name: 'Technical' }).click();
    await sync.getByRole('button', { name: 'Save plan' }).click();
    const saved = await app.saved();
    expect(saved.name).toBe('plan.adslate-plan');
    writeFileSync(file('window.adslate-plan'), await saved.text());
    await sync.getByRole('button', { name: 'Close' }).click();
  });

  await step('run on the command line, which writes the same bytes; another is saved there', async () => {
    // One program has the account at a time.
    await app.restart(async () => {
      expect(await adslate('plan', '--text', '--submit')).toBe(readFileSync(file('window.adslate-plan'), 'utf8'));
      expect(await adslate('sync', '--plan', file('window.adslate-plan'))).toContain('3 sent, 0 failed');
      const head = 'Type,Campaign,Ad group,Keyword,Match type,Bid';
      writeFileSync(file('sheet.csv'), `${head}\nkeyword,Lamps,Lamps group,night light,exact,1.60\n`);
      await adslate('import', file('sheet.csv'));
      writeFileSync(file('cli.adslate-plan'), await adslate('sync', '--dry-run'));
    });
  });

  await step('dropped on the window, it is as it was saved', async () => {
    await app.drop([file('cli.adslate-plan')]);
    await expect(sync.getByText('Nothing changed since the plan was saved.', { exact: false })).toBeVisible();
    await expect(sync.getByText(/cli\.adslate-plan · Changes of .* · all changes · no review$/)).toBeVisible();
    await expect(sendButton).toBeEnabled();
    expect(await faults('main')).toEqual([]);
    await sync.getByRole('button', { name: 'Close' }).click();
  });

  const choose = async (name: string): Promise<void> => {
    await app.command('run a saved plan');
    await sync.getByLabel('Choose a plan file…').setInputFiles([fileAt(file(name))]);
  };

  await step('after an edit each line that differs is listed, and only the new plan can be sent', async () => {
    await app.openList('Keywords');
    await (await app.cell('night light', 'Bid')).click();
    await page.keyboard.type('2.25');
    await page.keyboard.press('Enter');
    await choose('cli.adslate-plan');
    const changes = sync.getByRole('region', { name: 'Changed since the plan was saved' }).getByRole('listitem');
    await expect(changes).toHaveCount(2);
    await expect(changes.first()).toHaveText(/^Saved keyword night light, exact .*"bid":1\.60/);
    await expect(changes.last()).toHaveText(/^Now keyword night light, exact .*"bid":2\.25/);
    await expect(sendButton).toHaveCount(0);
    expect(await faults('main')).toEqual([]);
    await sync.getByRole('button', { name: 'Plan again' }).click();
    await expect(sendButton).toBeEnabled();
    await sync.getByRole('button', { name: 'Close' }).click();
    await page.keyboard.press('Control+z');
    await expect(await app.cell('night light', 'Bid')).toHaveText('$1.60');
  });

  await step('a file of something else says so; the plan runs when nothing differs any longer', async () => {
    await choose('sheet.csv');
    await expect(sync.getByRole('alert')).toContainText('sheet.csv contains no plan.');
    await sync.getByLabel('Choose a plan file…').setInputFiles([fileAt(file('cli.adslate-plan'))]);
    await sendButton.click();
    await expect(sync.getByRole('heading', { name: 'The change is on the service' })).toBeVisible();
    await sync.getByRole('button', { name: 'Done' }).click();
  });
});

// --- known-ids
test('item ids are mended, and ids of campaigns pasted, judged, asked after and listed with where they came from', async () => {
  let held: Promise<void> | null = null;
  const ended = Promise.withResolvers<void>();
  const adding = Promise.withResolvers<void>();
  let isAdding = false;
  let lookedUp = 0;
  const app = await openApp({
    main: ({ itemIds, campaignIds }) => ({
      'itemIds.scan': async (input, ...more) => {
        const found = await itemIds.scan(input, ...more);
        if (input.grant == null || held === null) return found;
        await held;
        setTimeout(ended.resolve);
        return found;
      },
      'campaignIds.add': after(() => {
        isAdding = true;
        return adding.promise;
      }, campaignIds.add),
      'campaignIds.lookUp': async ({ ids }) => {
        lookedUp += 1;
        return { here: isAdding ? [...ids] : [] };
      },
    }),
  });
  await step('item ids that a spreadsheet has spoiled are looked through and mended before the import', async () => {
    const sheet = join(app.dataDir, 'spoiled.csv');
    const lines = ['Type,Campaign,Ad group,Item id,Bid', 'ad item,Towels,Towels group,799650557,1.60'];
    writeFileSync(sheet, [...lines, 'ad item,Towels,Towels group,12 of 34,1.60'].join('\r\n'));

    await app.command('Repair item IDs');
    const dialog = page.getByRole('region', { name: 'Repair item IDs' });
    await expect(dialog.getByText('No damaged item IDs')).toBeVisible();
    await expect(dialog.getByText('No unsynced items to check.')).toBeVisible();
    await dialog.getByLabel('Check a spreadsheet…').setInputFiles([fileAt(sheet)]);
    await expect(dialog.getByRole('heading', { name: 'spoiled.csv' })).toBeVisible();
    await expect(dialog.getByLabel('Replace 799650557')).toHaveValue(
      /^0799650557 · .+ · suggested bid \$[\d.]+ · From item search$/,
    );
    await expect(dialog.getByRole('link', { name: 'Item page' })).toHaveAttribute('href', /^https:.+0799650557$/);
    await expect(dialog.getByText('No match. Use item search in the item list.')).toBeVisible();
    expect(await faults('main')).toEqual([]);
    await dialog.getByRole('button', { name: 'Save spreadsheet with 1 ID replaced' }).click();
    expect((await app.saved()).name).toBe('spoiled-repaired.csv');

    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    await dialog.getByLabel('Check a spreadsheet…').setInputFiles([fileAt(sheet)]);
    await dialog.getByRole('button', { name: 'Check this account' }).click();
    await expect(dialog.getByText('No damaged item IDs')).toBeVisible();
    resolve();
    await ended.promise;
    // What follows the answer of the earlier check is done before the next key.
    await page.keyboard.press('Control');
    await expect(dialog.getByRole('heading', { name: 'spoiled.csv' })).toHaveCount(0);
    await expect(dialog.getByText('No damaged item IDs')).toBeVisible();
    held = null;
  });

  await app.command('Add campaigns by ID');
  const dialog = page.getByRole('region', { name: 'Campaign IDs' });
  await dialog.getByLabel('Campaign IDs, one per line').fill('987654321\tElsewhere\n1.23E+09\n987654321');
  await expect(dialog.getByRole('row', { name: /987654321 Elsewhere/ })).toContainText('New: will be looked up');
  await expect(dialog.getByRole('row', { name: /1\.23E\+09/ })).toContainText('Skipped: not an ID');
  expect(await faults('main')).toEqual([]);
  await dialog.getByRole('button', { name: 'Look up 1 campaign' }).click();
  // A campaign that is just being added is none that was here.
  await check.poll(() => isAdding).toBe(true);
  const lookUpAgain = async (name: string) => {
    const before = lookedUp;
    const values = { ...CAMPAIGN, name };
    await app.add('Create', [{ kind: 'campaign', parent: null, values }]);
    await check.poll(() => lookedUp).toBeGreaterThan(before);
  };
  await lookUpAgain('Another one');
  await page.keyboard.press('Control');
  await expect(dialog.getByRole('row', { name: /987654321 Elsewhere/ })).toContainText('New: will be looked up');
  isAdding = false;
  await lookUpAgain('One more');
  adding.resolve();
  await expect(dialog.getByText('No campaign was added.')).toBeVisible();
  await expect(dialog.getByRole('row', { name: /987654321/ })).toContainText('Not added: not found on the service');
  await dialog.getByRole('button', { name: 'Back to list' }).click();
  await dialog.getByLabel('Search IDs').fill('987654321');
  await expect(dialog.getByText('No matching IDs')).toBeVisible();
  await page.keyboard.press('Escape');

  await step('a sheet that names such ids hands them over, and is previewed anew afterwards', async () => {
    const path = join(app.dataDir, 'theirs.csv');
    await writeFile(path, 'Type;Campaign;Campaign id;Daily budget\ncampaign;Elsewhere;987654321;1,50');
    await app.drop([path]);
    const sheet = page.getByRole('dialog', { name: /Import|theirs.csv/ });
    await sheet.getByRole('button', { name: 'Comma (1,50)' }).click();
    await expect(sheet).toContainText(
      'The file refers to 1 campaign or ad group by an ID that is not in this account.',
    );
    await sheet.getByRole('button', { name: 'Add campaigns by ID…' }).click();
    await expect(dialog.getByRole('row', { name: /987654321 Elsewhere/ })).toContainText('New: will be looked up');
    await dialog.getByRole('button', { name: 'Look up 1 campaign' }).click();
    await expect(dialog.getByRole('row', { name: /987654321/ })).toContainText('Not added: not found on the service');
    await dialog.getByRole('button', { name: 'Back to import' }).click();
    await expect(page.getByRole('dialog', { name: 'theirs.csv' })).toContainText("1line can't be imported");
  });
});

test('an account that confirms each sync submits for review from the plan alone', async () => {
  const app = await openApp();
  await app.newManual('Lamps', 'reading lamp\texact\t1.50', '75');
  const [account] = await app.client().accounts.list();
  await app.client().accounts.setMode({ workspaceId: app.workspaceId, mode: 'confirm' });
  await app.openList('Keywords');
  await (await app.cell('reading lamp', 'Keyword')).click();
  await app.command('Submit for review');
  await expect(sendButton).toBeDisabled();
  expect((await app.serviceState()).campaigns).toEqual([]);
  await sync.getByLabel(/^Type ".*" to send$/).fill(account?.name ?? '');
  await send();
  expect((await app.serviceState()).campaigns).toMatchObject([{ name: 'Lamps' }]);
});

// --- pending-sync
const CAMPAIGN = {
  campaignType: 'sponsoredProducts',
  targetingType: 'auto',
  status: 'enabled',
  totalBudget: 10_000,
  dailyBudget: 5000,
  startDate: '2030-05-01',
};

test('a sync is paused and resumed, scheduled and canceled, and the status bar says so', async () => {
  const app = await openApp();
  for (const [name, bid] of [
    ['Spring', 160],
    ['Summer', 170],
  ] as const) {
    await app.add('Create', [
      { kind: 'campaign', parent: null, values: { ...CAMPAIGN, name } },
      { kind: 'adGroup', parent: { at: 0 }, values: { name: 'Group', status: 'enabled' } },
      { kind: 'adItem', parent: { at: 1 }, values: { itemId: '0799650557', bid, status: 'enabled' } },
    ]);
  }
  // Long enough to be caught in the act.
  await app.orderService('faults', {
    match: { method: 'POST', path: '/api/v1/adGroups' },
    times: 2,
    kind: 'delay',
    delayMs: 1500,
  });
  const status = page.getByRole('contentinfo');

  // Scheduled, seen everywhere, and canceled.
  const [account] = await app.client().accounts.list();
  await app.client().accounts.setMode({ workspaceId: app.workspaceId, mode: 'confirm' });
  await page.keyboard.press('Control+Enter');
  await sync.getByText('Send later').click();
  await expect(
    sync.getByRole('button', { name: 'Schedule sync' }),
    'as Send, only once the name is typed',
  ).toBeDisabled();
  await sync.getByLabel(/^Type ".*" to send$/).fill(account?.name ?? '');
  await app.client().accounts.setMode({ workspaceId: app.workspaceId, mode: 'normal' });
  await sync.getByRole('textbox', { name: 'Minutes without a failure' }).fill('30');
  expect(await faults('main')).toEqual([]);
  await sync.getByRole('button', { name: 'Schedule sync' }).click();
  await expect(sync).toBeHidden();
  await status.getByRole('button', { name: /^Sync scheduled, next check/ }).click();
  const scheduled = app.drawer.getByRole('region', { name: 'Sync scheduled' });
  await expect(scheduled).toContainText('6 changes left to send.');
  await expect(scheduled).toContainText('responded for 30 minutes without a break');
  await scheduled.getByRole('button', { name: 'Cancel sync' }).click();
  await expect(scheduled).toBeHidden();
  await expect(status.getByRole('button', { name: /^Sync scheduled/ })).toBeHidden();

  // Paused while requests are in progress: they end, and nothing more begins.
  await page.keyboard.press('Control+Enter');
  await sendButton.click();
  await expect(sync.getByRole('heading', { name: /^[2-4] of 6$/ })).toBeVisible();
  await sync.getByRole('button', { name: 'Pause' }).click();
  await expect(sync.getByText(/^Pausing when the requests in progress have ended\./)).toBeVisible();
  const paused = sync.getByRole('region', { name: 'Sync paused' });
  await expect(paused).toBeVisible();
  await expect(paused).toContainText(/[1-5] changes? left to send\. Edits you make before you resume are sent too\./);
  await expect(sync.getByRole('heading', { name: /^[1-5] of 6 changes are on the service$/ })).toBeVisible();
  expect(await faults('main')).toEqual([]);
  await sync.getByRole('button', { name: 'Done' }).click();
  await expect(status.getByRole('button', { name: 'Sync paused' })).toBeVisible();
  await app.reload();
  await status.getByRole('button', { name: 'Sync paused' }).click();
  await app.add('Create', [{ kind: 'campaign', parent: null, values: { ...CAMPAIGN, name: 'Winter' } }]);
  await expect(app.drawer).toContainText('This includes 1 change made after the sync was paused.');
  // The plan has its own primary button.
  await page.keyboard.press('Control+Enter');
  await expect(sync.getByRole('region', { name: 'Sync paused' })).toBeVisible();
  await expect(sync.getByRole('button', { name: /^Send \d/ })).toBeVisible();
  expect(sync.locator('button[data-variant="filled"]').count()).toBe(1);
  await sync.getByRole('button', { name: 'Close' }).click();
  await app.drawer.getByRole('region', { name: 'Sync paused' }).getByRole('button', { name: 'Resume' }).click();
  await expect(app.drawer.getByRole('region', { name: 'Sync paused' })).toBeHidden();
  const sent = async () => (await app.serviceState()).campaigns.map(({ name }) => name).sort();
  await expect.poll(sent).toEqual(['Spring', 'Summer', 'Winter']);
});
