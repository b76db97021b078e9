import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ORPCError } from '@orpc/client';
import { expect as check, test } from 'vitest';
import type { Client } from '../../../renderer/app/transport/connection.ts';
import { asWorkspaceId } from '../../../shared/model/scalars.ts';
import type { Answers } from '../answering.ts';
import { fileAt, openApp, step } from '../app.tsx';
import { expect, page } from '../page.ts';

// --- many-accounts
const ACCOUNTS = 50;

test('of fifty accounts one is found by typing its name, and opens with its own rows', async () => {
  const app = await openApp();
  const file = join(app.dataDir, 'accounts.json');
  const { version, accounts } = JSON.parse(await readFile(file, 'utf8'));
  const [first] = accounts;
  const more = Array.from({ length: ACCOUNTS - 1 }, (_, i) => ({
    ...first,
    workspaceId: `shop-${i + 2}`,
    name: `Shop ${i + 2}`,
    practice: false,
    baseUrl: 'https://127.0.0.1:9',
    extensions: false,
    secrets: { kept: 'box' },
  }));
  await app.restart(() => writeFile(file, JSON.stringify({ version, accounts: [...accounts, ...more] })));

  const switcher = page.getByRole('button', { name: /^Switch account/ });
  const open = async (name: string): Promise<void> => {
    await switcher.click();
    await page.getByRole('searchbox', { name: 'Find account' }).fill(name);
    await expect(page.getByRole('menuitem', { name: /^Shop/ })).toHaveCount(1);
    await page.getByRole('menuitem', { name: new RegExp(`^${name} `) }).click();
    await expect(switcher).toContainText(name);
  };
  await open('Shop 47');
  await page.keyboard.press('Alt+Shift+M');
  await page.getByLabel('Campaign name').fill('Only here');
  await page.getByRole('button', { name: 'Create draft' }).click();
  await expect(app.navigation).toContainText('Only here');
  await open('Shop 23');
  await expect(app.navigation).not.toContainText('Only here');
  await open('Shop 47');
  await expect(app.navigation).toContainText('Only here');

  await step('each account keeps what is typed for its new campaign', async () => {
    const name = page.getByLabel('Campaign name');
    await page.keyboard.press('Alt+Shift+M');
    await name.fill('Typed in 47');
    await open('Shop 23');
    await page.keyboard.press('Alt+Shift+M');
    await expect(name).toHaveValue('');
    await name.fill('Typed in 23');
    await open('Shop 47');
    await page.keyboard.press('Alt+Shift+M');
    await expect(name).toHaveValue('Typed in 47');
  });

  const status = page.getByRole('contentinfo');
  // The credentials of these accounts were in memory only.
  await expect(status).toContainText('Key and token missing');
  Object.defineProperty(navigator, 'onLine', { configurable: true, value: false });
  dispatchEvent(new Event('offline'));
  await expect(status).toContainText('Offline');
  Reflect.deleteProperty(navigator, 'onLine');
});

test('a new account has the focus in its rows, and nothing is said any more of the account before', async () => {
  await openApp();
  const switcher = page.getByRole('button', { name: /^Switch account/ });
  const spoken = page.locator('div[role="status"][aria-live="polite"]');
  await page.keyboard.press('Alt+1');
  await page.keyboard.press('[');
  await expect(spoken.first()).not.toHaveText('');
  await switcher.click();
  await page.getByRole('menuitem', { name: 'New practice account' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Campaigns' })).toBeVisible();
  await expect(spoken.first()).toHaveText('');
  await expect.poll(() => document.activeElement?.closest('main') !== null).toBe(true);
});

// --- settings
test('pages of the settings: the deployment, the program itself, a team, and the mode of the account', async () => {
  const app = await openApp();

  await step('the search finds whole sections as well as single settings', async () => {
    await app.command('deployment settings');
    const search = page.getByRole('textbox', { name: 'Find a setting' });
    const found = page.getByRole('list', { name: 'Settings found' });
    await search.fill('idle');
    await expect(found.getByRole('button')).toHaveText(/^Lock credentials when idle/);
    await search.fill('backups');
    await expect(found.getByRole('button')).toHaveText(/^Backups/);
    await found.getByRole('button').click();
    await expect(page.getByRole('region', { name: 'Backups' })).toContainText('Back up now');
  });

  await step(
    'settings of the deployment are in use at once, refused with the reason, and put back as usual',
    async () => {
      const dialog = page.getByRole('region', { name: 'Deployment settings' });
      const status = page.getByRole('contentinfo');
      await expect(status).toContainText('Practice account');
      await expect(status).toContainText('3,000 of 3,000 changes left this hour');
      await expect(status).toContainText('Next check');

      await app.command('deployment settings');
      const rate = dialog.getByRole('textbox', { name: 'Changes per hour' });
      await rate.fill('many');
      await dialog.getByRole('button', { name: 'Save settings' }).click();
      await expect(dialog.getByRole('alert')).toContainText('"many" is not a number');
      await rate.fill('0');
      await dialog.getByRole('textbox', { name: 'Video length (seconds)' }).fill('45');
      await dialog.getByRole('button', { name: 'Save settings' }).click();
      await expect(dialog.getByRole('alert')).toContainText('"Video length (seconds)" is "45". It must be two numbers');
      await dialog.getByRole('textbox', { name: 'Video length (seconds)' }).fill('5–45');
      await dialog.getByRole('button', { name: 'Save settings' }).click();
      await expect(dialog.getByRole('alert')).toContainText('"Changes per hour" is "0". It must be more than 0.');
      await rate.fill('40');
      await expect(dialog).toContainText('1 changed');
      await page.keyboard.press('Escape');
      await expect(dialog.getByRole('button', { name: 'Save settings' })).toBeFocused();
      await rate.press('Enter');
      await expect(dialog).toContainText('default: 3000');
      await expect(status).toContainText('40 of 40 changes left this hour');

      await dialog.getByRole('button', { name: 'Edit as text' }).click();
      await expect(dialog.getByRole('textbox', { name: 'Edit as text' })).toHaveValue('rate.opsPerHour=40\n');
      await dialog.getByRole('textbox', { name: 'Edit as text' }).fill('rate.opsPerHour=41\nrate.perHour=1');
      await dialog.getByRole('button', { name: 'Edit as fields' }).click();
      await expect(dialog.getByRole('alert')).toContainText('"rate.perHour=1" is not a setting of the fields.');
      await dialog.getByRole('textbox', { name: 'Edit as text' }).fill('rate.opsPerHour=41');
      await dialog.getByRole('button', { name: 'Edit as fields' }).click();
      await expect(rate).toHaveValue('41');
      await dialog.getByRole('button', { name: 'Reset Changes per hour to default' }).click();
      await dialog.getByRole('button', { name: 'Save settings' }).click();
      await expect(dialog).toContainText('all default');
      await expect(status).toContainText('3,000 of 3,000 changes left this hour');
    },
  );

  await step('the program says what it runs on, what a helper would get, and what it carries', async () => {
    await app.command('About Adslate');
    const about = page.getByRole('region', { name: 'About Adslate' });
    await expect(about).toContainText(/Node\s*24\.\d+\.\d+/);
    await expect(about).toContainText(/SQLite\s*3\.\d+\.\d+/);

    const shown = about.getByRole('region', { name: 'Diagnostics' });
    await expect(shown).toContainText('1 practice, 0 connected');
    await about.getByRole('button', { name: 'Save report' }).click();
    expect(await (await app.saved()).text()).toBe(await shown.locator('pre').textContent());

    await page.keyboard.press('Escape');
    await expect(about).toBeHidden();
  });

  await step(
    'Escape closes the dialog over the settings, and not the page below, also while nothing has the focus',
    async () => {
      await app.command('team');
      await page.getByRole('button', { name: 'Join a team…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Join a team' });
      await dialog.getByLabel('Six words').click();
      await dialog.getByLabel('Six words').blur();
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
      await expect(page.getByRole('heading', { name: 'Create a team' })).toBeVisible();
    },
  );

  await step('an account set to read-only cannot send, and the toolbar says so', async () => {
    const dialog = page.getByRole('region', { name: 'Sync mode' });
    await app.command('account settings');
    await dialog.getByRole('radio', { name: /^Read-only/ }).click();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: /^Switch account/ })).toContainText('Read-only');
    await expect(page.getByRole('button', { name: 'Up to date' })).toHaveAttribute(
      'title',
      /^This account is read-only\./,
    );
  });
});

/** Fills the form of an account in and sends it, with the files of its key and its token. */
async function connectTo(baseUrl: string, files: readonly File[]): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Connect account' });
  for (const [label, text] of Object.entries({
    'Account name': 'Real shop',
    'Base URL of the service': baseUrl,
    'Advertiser ID': '7',
    'Consumer ID': 'c',
    'Retail site host': 'www.example.com',
  }))
    await dialog.getByLabel(label).fill(text);
  const pickers = dialog.locator('input[type="file"]');
  for (const [at, file] of files.entries()) await pickers.nth(at).setInputFiles([file]);
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
}

test('a connection that fails says how far its check came', async () => {
  const app = await openApp();
  const dialog = page.getByRole('dialog', { name: 'Connect account' });
  const key = join(app.dataDir, 'no-key.pem');
  const token = join(app.dataDir, 'token.txt');
  await writeFile(key, 'this is no key');
  await writeFile(token, 'a-token');
  await app.command('connect account');
  await expect(dialog).toContainText('The key and token are kept in memory only: after each start, enter them again.');
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  for (const missing of ['Enter the consumer ID.', 'Choose the private key file.']) {
    await expect(dialog.getByText(missing)).toHaveCount(1);
  }
  await expect(dialog.getByLabel('Account name')).toBeFocused();
  await connectTo('https://127.0.0.1:9', [key, token].map(fileAt));
  const steps = dialog.getByRole('list', { name: 'Connection test' }).getByRole('listitem');
  const wanted = [
    /Addresses.*passed/,
    /Private key.*failed/,
    /token.*not tested/,
    /responds.*not tested/,
    /clock.*not tested/,
    /Credentials.*not tested/,
  ];
  await expect(steps).toHaveCount(wanted.length);
  for (const [at, text] of wanted.entries()) await expect(steps.nth(at)).toContainText(text);
  await expect(dialog.getByRole('alert')).toContainText('The file contains no private key');

  await dialog
    .locator('input[type="file"]')
    .nth(0)
    .setInputFiles([new File(['x'.repeat(70_000)], 'video.pem')]);
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  const refusal = 'video.pem is larger than 65,536 bytes, the maximum here. Choose a smaller file.';
  await expect(dialog.getByRole('alert')).toContainText(refusal);
});

test('a connection test that is canceled opens no account, and leaves the next dialog open', async () => {
  const asked = Promise.withResolvers<AbortSignal | undefined>();
  const held = Promise.withResolvers<void>();
  const app = await openApp({
    main: ({ accounts }) => ({
      'accounts.connect': async (_input, options) => {
        asked.resolve(options?.signal);
        await held.promise;
        const [account] = await accounts.list();
        if (account === undefined) throw new Error('There is no account.');
        return { ...account, workspaceId: asWorkspaceId('another'), found: [], clockAheadSeconds: null };
      },
    }),
  });
  await app.command('connect account');
  const dialog = page.getByRole('dialog', { name: 'Connect account' });
  const secret = new File(['secret'], 'secret.pem');
  await connectTo('https://api.example.com', [secret, secret]);
  const signal = await asked.promise;
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  check(signal?.aborted).toBe(true);
  await page.keyboard.press('F1');
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(shortcuts).toBeVisible();
  held.resolve();
  // What follows an answer has been done by then.
  await app.client().accounts.list();
  await new Promise((resolve) => setTimeout(resolve));
  await expect(shortcuts).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Campaigns' })).toBeVisible();
});

// --- shortcuts
test('shortcuts are changed by pressing others, keep their meaning after a restart, and go back', async () => {
  const app = await openApp();
  const { keyboard } = page;
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  const palette = page.getByRole('dialog', { name: 'Commands' });
  const colours = (): string | undefined => document.documentElement.dataset['mantineColorScheme'];

  await step('a command is run by its name', async () => {
    await keyboard.press('Control+k');
    await palette.getByRole('combobox').fill('dark theme');
    await keyboard.press('Enter');
    await expect.poll(colours).toBe('dark');
    await keyboard.press('Control+k');
    await palette.getByRole('combobox').fill('history');
    await keyboard.press('Enter');
    await expect(page.getByRole('tab', { name: 'History', selected: true })).toBeVisible();
  });

  await step('keys that are typing are refused with the reason, others are taken', async () => {
    await keyboard.press('F1');
    // A dialog takes the focus once it is drawn, and keys go to what has it.
    await expect(sheet.getByRole('button', { name: 'Print', exact: true })).toBeFocused();
    await sheet.getByRole('button', { name: /^All commands….*Change shortcut/ }).click();
    await keyboard.press('a');
    await expect(sheet.getByRole('alert')).toContainText('Add Ctrl or Alt');
    await keyboard.press('Control+Shift+U');
    await expect(sheet.getByRole('button', { name: /^All commands….*Ctrl\+Shift\+U/ })).toBeVisible();
  });

  await step('keys of another command move over', async () => {
    await sheet.getByRole('button', { name: /^Undo:.*Change shortcut/ }).click();
    await keyboard.press('F9');
    await expect(sheet.getByRole('button', { name: /^Undo: F9/ })).toBeVisible();
    await expect(sheet.getByRole('button', { name: /^Refresh all campaigns: no shortcut/ })).toBeVisible();
  });

  await step('keys that go back to their command leave the other one', async () => {
    await sheet.getByRole('button', { name: 'Refresh all campaigns: reset shortcut' }).click();
    await expect(sheet.getByRole('button', { name: /^Refresh all campaigns: F9/ })).toBeFocused();
    await expect(sheet.getByRole('button', { name: /^Undo: no shortcut/ })).toBeVisible();
    await keyboard.press('Escape');
  });

  await step('they work at once and after a restart, where the command run last comes first', async () => {
    await keyboard.press('Control+k');
    await expect(palette).toBeHidden();
    await keyboard.press('Control+Shift+U');
    await expect(palette).toBeVisible();
    await keyboard.press('Escape');
    await app.restart();
    await expect.poll(colours).toBe('dark');
    await keyboard.press('Control+Shift+U');
    await expect(palette.getByRole('option').first()).toContainText('History');
    await keyboard.press('Escape');
  });

  await step('all as they were', async () => {
    await keyboard.press('F1');
    await sheet.getByRole('button', { name: 'Reset all' }).click();
    await expect(sheet.getByRole('button', { name: /^Undo: Ctrl\+Z/ })).toBeVisible();
    await keyboard.press('Escape');
    await keyboard.press('Control+k');
    await expect(palette).toBeVisible();
  });
});

test('what was announced while the line to main was down is asked for again', async () => {
  const line = aLineToCut();
  const app = await openApp({ main: line.main });
  await expect(page.getByRole('button', { name: 'Undo' })).toBeDisabled();
  line.cut();
  await app.add('New campaign', [
    { kind: 'campaign', parent: null, values: { name: 'Made elsewhere', campaignType: 'sba' } },
  ]);
  line.mend();
  await expect(page.getByRole('button', { name: 'Undo: New campaign' })).toBeEnabled();
  await expect(await app.cell('Made elsewhere', 'Campaign')).toBeVisible();
});

/** A line to main whose stream of events breaks, and comes back when it is told to. */
function aLineToCut() {
  let cut: () => void = () => {};
  let mend: () => void = () => {};
  let mended = Promise.resolve();
  const main = ({ app }: Client): Answers => ({
    'app.events': async (_, options) => {
      await mended;
      const stop = new AbortController();
      cut = () => {
        mended = new Promise((resolve) => {
          mend = resolve;
        });
        stop.abort();
      };
      return app.events(undefined, {
        signal: AbortSignal.any([stop.signal, ...(options?.signal ? [options.signal] : [])]),
      });
    },
  });
  return { main, cut: () => cut(), mend: () => mend() };
}

test('joining a team says how far it is, and can be canceled', async () => {
  const canceled = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<string>();
  await openApp({
    practice: false,
    main: () => {
      async function* events() {
        const taskId = await asked.promise;
        const task = { type: 'task.progress', task: 'join', taskId, canCancel: true, rows: null } as const;
        yield { ...task, workspaceId: asWorkspaceId('team-1'), share: 0.424, isOver: false };
        await canceled.promise;
      }
      return {
        'app.events': (async () => events()) as never,
        'tasks.cancel': async ({ taskId }) => {
          if (taskId === (await asked.promise)) canceled.resolve();
          return { cancelled: true };
        },
        'team.connect': async ({ taskId = '' }) => {
          asked.resolve(taskId);
          await canceled.promise;
          throw new ORPCError('CANCELLED', { defined: true, data: {} });
        },
      };
    },
  });
  await page.getByRole('button', { name: /^Join a team/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Join a team' });
  await dialog.getByRole('button', { name: 'Join team' }).click();
  await expect(dialog).toContainText('Choose the invitation file.');
  await expect(dialog).toContainText('Enter a name for this computer.');
  await expect(dialog.getByLabel('Invitation file (.adslate-invite)')).toBeFocused();
  await dialog.locator('input[type=file]').setInputFiles([new File(['sealed'], 'ben.adslate-invite')]);
  await dialog.getByRole('button', { name: 'Join team' }).click();
  await expect(dialog.getByLabel('Six words')).toBeFocused();
  await dialog.getByLabel('Six words').fill('one two three four five six');
  await dialog.getByLabel('Account name on this computer').fill('Northwind');
  await dialog.getByLabel('Name of this computer').fill('laptop');
  await dialog.getByRole('button', { name: 'Join team' }).click();
  await expect(dialog).toContainText('Reading what the team has… 42%');
  await expect(dialog.getByRole('progressbar', { name: 'Progress of joining' })).toHaveAttribute('aria-valuenow', '42');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toContainText('Canceled. Nothing was changed.');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
});

test('the age of entries to delete from the database of a team is typed', async () => {
  const me = { no: 1, display: 'Ada', roles: ['view', 'edit', 'sync', 'admin'] };
  let approvals = 0;
  let state = 'online';
  const entered: object[] = [];
  const status = () => ({
    ...{ workspace: 'w', desk: 1, member: me, login: 'adslate_ada', state, since: 0, problem: null, seen: 0, head: 0 },
    ...{ notShared: 0, conflicts: 0, sender: null, desks: [], digest: null, approvals, movedTo: null },
  });
  const health = {
    ...{ databaseBytes: 0, logBytes: 0, head: 0, prunedTo: 0, lastSharedAt: null, unconfirmed: 0, unusedParts: 0 },
    ...{ away: 0, unreported: [], differences: 0, snapshots: [] },
  };
  const app = await openApp({
    main: ({ accounts }) => ({
      'accounts.list': async (...call) =>
        (await accounts.list(...call)).map((account) => ({ ...account, hasTeam: true })),
      'team.status': (async () => status()) as never,
      'team.upkeep.show': (async () => health) as never,
      'team.enterPassword': async ({ workspaceId: _workspaceId, ...own }) => {
        entered.push(own);
        return {};
      },
    }),
  });
  await app.command('team');
  const days = page.getByLabel('Delete entries older than (days)');
  const remove = page.getByRole('button', { name: 'Delete old entries…' });
  await expect(days).toHaveValue('90');
  await days.focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('36');
  await expect(remove).toBeDisabled();
  await page.keyboard.type('5');
  await remove.click();
  await expect(page.getByRole('dialog', { name: 'Delete entries older than 365 days?' })).toBeVisible();

  await step(
    'of changes that need sign-offs, the sync button counts none: only the plan knows which have theirs',
    async () => {
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await app.newManual('Lamps', 'reading lamp\texact\t1.50', '75');
      await expect(page.getByRole('button', { name: /^Sync \d+ changes$/ })).toBeVisible();
      approvals = 1;
      await app.reload();
      await expect(page.getByRole('button', { name: 'Sync plan', exact: true })).toBeVisible();
    },
  );

  await step('the plan says that nothing can be sent while the database of the team does not respond', async () => {
    state = 'offline';
    await app.reload();
    await page.keyboard.press('Control+Enter');
    const plan = page.getByRole('main', { name: 'Sync plan' });
    const notice = plan.getByRole('status').filter({ hasText: 'The database of your team has not responded since' });
    await expect(notice).toContainText('nothing can be sent. Sign-offs are shown as last read.');
    await expect(notice).toContainText('Check your network connection');
  });

  await step(
    'a password that a restart has removed from memory is entered in the settings, which the plan says',
    async () => {
      state = 'no-password';
      await app.reload();
      await page.keyboard.press('Control+Enter');
      const plan = page.getByRole('main', { name: 'Sync plan' });
      const notice = plan.getByRole('status').filter({ hasText: 'without the password of your team' });
      await expect(notice).toContainText('Nothing can be sent');
      await expect(notice).toContainText('Enter it in Settings > Team.');
      await app.command('team');
      const form = page.getByRole('region', { name: 'Enter the password of the database' });
      await expect(form.getByLabel('Login')).toHaveValue('adslate_ada');
      await expect(form).toContainText('Your team and your edits stay as they are.');
      await form.getByLabel('Password').fill('secret');
      await form.getByRole('button', { name: 'Connect' }).click();
      check(entered).toEqual([{ login: 'adslate_ada', password: 'secret' }]);
    },
  );
});
