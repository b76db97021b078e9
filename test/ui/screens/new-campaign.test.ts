import { join } from 'node:path';
import { ORPCError } from '@orpc/client';
import { expect as check, test } from 'vitest';
import { openApp, step } from '../app.tsx';
import { expect, page } from '../page.ts';

const example = (file: string): string => join(import.meta.dirname, '../../../examples/media', file);

test('a catalog that cannot be searched is not called offline, whatever the reason', async () => {
  await openApp({
    main: () => ({
      'items.find': async () => ({ isOffline: true, items: [] }),
    }),
  });
  await page.keyboard.press('Alt+Shift+M');
  await page.getByRole('combobox', { name: 'Search items' }).fill('ladle');
  await expect(page.getByRole('status').filter({ hasText: 'seen before' })).toHaveText(
    "The catalog can't be searched now. Only items seen before are shown.",
  );
});

test('a new campaign says at once what it cannot read, and Ctrl+Enter creates it as one step', async () => {
  const app = await openApp();
  const form = page.getByRole('main', { name: 'New campaign' });
  const missing = form.getByRole('region', { name: 'Missing before launch' });
  await page.keyboard.press('Alt+Shift+M');
  await expect(form.getByLabel('Campaign name')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(form).toBeHidden();
  await page.keyboard.press('Alt+Shift+M');
  const titles = form.locator('h2, label').allTextContents();
  expect(titles.slice(titles.indexOf('4. Keywords and bids')).slice(1, 4)).toEqual([
    'Default bid (USD)',
    'Match type',
    'Keywords, one per line',
  ]);
  await form.getByLabel('Campaign name').fill('Ladles');
  await page.keyboard.press('Escape');
  await page
    .getByRole('dialog', { name: 'Discard what you typed?' })
    .getByRole('button', { name: 'Keep form' })
    .click();
  await form.getByLabel('Start date').fill('4/5/2030');
  await form.getByLabel('Daily budget (USD)').fill('$25.00');
  await expect(form.getByText('"4/5/2030" can mean 2030-05-04 or 2030-04-05.').first()).toBeVisible();
  await expect(missing).toContainText('Start date: "4/5/2030" can mean');
  await expect(missing).not.toContainText('Daily budget');
  const words = Array.from({ length: 201 }, (_, at) => `ladle ${at}`).join('\n');
  await form.getByLabel('Keywords, one per line').fill(words);
  await expect(missing).toContainText('Keywords: 201 distinct keywords. An ad group can have up to 200.');
  await form.getByLabel('Keywords, one per line').fill('ladle');
  await expect(missing).not.toContainText('Keywords');
  await page.keyboard.press('Control+Enter');
  await expect(form.getByLabel('Start date')).toBeFocused();
  await form.getByLabel('Start date').fill('2030-05-04');
  await form.getByLabel('End date').fill('2030-05-01');
  await expect(missing).toContainText('End date: Choose a day after the start date.');
  await form.getByLabel('End date').fill('');
  await expect(missing).not.toContainText('End date');
  // A line that can't be read is known once the draft is created, and then it is not "nothing".
  const lines = form.getByLabel('Keywords, one per line');
  await lines.fill('ladle\texact\tcheap');
  await page.keyboard.press('Control+Enter');
  await expect(missing).toContainText('Keywords: Line 1: "cheap" is not a number.');
  await expect(lines).toBeFocused();
  await lines.fill('ladle');
  await expect(missing).not.toContainText('Keywords');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Ladles' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo: New campaign Ladles' })).toBeEnabled();
  await app.openList('Keywords');
  await expect(app.grid).toHaveAttribute('aria-rowcount', '3');
});

// --- templates
test('the form of a new campaign adds its video itself, and keeps what was typed meanwhile', async () => {
  const app = await openApp();
  const form = page.getByRole('main', { name: 'New campaign' });
  await page.keyboard.press('Alt+Shift+V');
  await form.getByLabel('Campaign name').fill('Ladles');
  await form.getByRole('button', { name: 'Add media files…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add files' });
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(form.getByLabel('Campaign name')).toHaveValue('Ladles');
  const video = form.getByLabel('Video', { exact: true });
  await expect(video.getByRole('option')).toHaveText('None yet');
  const typed = { 'Total budget (USD)': '100', 'Daily budget (USD)': '50', 'Start date': '2030-05-01' };
  for (const [label, text] of Object.entries(typed)) await form.getByLabel(label).fill(text);
  await form.getByLabel('End date').fill('2030-05-02');
  await expect(form).toContainText('2 days at $50.00 cost up to $100.00. Submit by');
  await form.getByLabel('End date').fill('2030-05-03');
  await expect(form).toContainText('3 days at $50.00 cost up to $100.00, the total budget. Submit by');

  await step('a video that is dropped on the form is the video of its campaign, and a later one is not', async () => {
    await app.drop([example('kitchen-roll-spot.mp4')]);
    await expect(dialog).toContainText('Added to the library');
    await page.keyboard.press('Escape');
    await expect(form.getByRole('region', { name: 'Missing before launch' })).not.toContainText('Video');
    const selected = (await video.getByRole('option', { name: 'kitchen-roll-spot.mp4' }).getAttribute('value')) ?? '';
    await expect(video).toHaveValue(selected);
    await app.drop([example('garden-hose-spot.mp4')]);
    await expect(video.getByRole('option')).toHaveCount(3);
    await page.keyboard.press('Escape');
    await expect(video).toHaveValue(selected);
  });
});

test('the form of a new campaign offers every video of a large media library', async () => {
  const app = await openApp();
  const names = Array.from({ length: 620 }, (_, at) => `Clip ${at}.mp4`);
  await app.add(
    'Add',
    names.map((fileName) => ({ kind: 'media', parent: null, values: { mediaType: 'video', fileName } })),
  );
  await app.command('new video campaign');
  const video = page.getByRole('main').getByLabel('Video', { exact: true });
  await expect(video.getByRole('option')).toHaveCount(621);
  await video.selectOption('Clip 619.mp4');
});

test('a campaign that cannot be read for the form says why, and is read again', async () => {
  let isBroken = false;
  const app = await openApp({
    main: ({ workspace }) => ({
      'workspace.openView': async (input, ...more) => {
        if (!isBroken || input.view.kind !== 'sbaProfile') return workspace.openView(input, ...more);
        throw new ORPCError('NOT_WRITABLE', { defined: true, data: { why: 'disk-full' } });
      },
    }),
  });
  await app.newManual('Pots', 'red pot\texact\t1.00');
  await app.openList('Campaigns');
  await (await app.cell('Pots', 'Campaign')).click();
  isBroken = true;
  await page.keyboard.press('Alt+Shift+K');
  await expect(page.getByText('The disk is full.', { exact: false })).toBeVisible();
  isBroken = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByLabel('Keywords, one per line')).toHaveValue('red pot\texact\t1.00');
});

test('a form that is based on a deleted campaign says so, and goes on empty', async () => {
  let isGone = false;
  const app = await openApp({
    main: ({ workspace }) => ({
      'workspace.openView': async (input, ...more) => {
        const view = isGone ? { ...input.view, campaignId: 999_999 } : input.view;
        return workspace.openView({ ...input, view }, ...more);
      },
    }),
  });
  await app.newManual('Pots', 'red pot\texact\t1.00');
  await app.openList('Campaigns');
  await (await app.cell('Pots', 'Campaign')).click();
  isGone = true;
  await page.keyboard.press('Alt+Shift+K');
  await expect(page.getByRole('heading', { name: 'The campaign was deleted' })).toBeVisible();
  await page.getByRole('button', { name: 'Empty form' }).click();
  await expect(page.getByLabel('Campaign name')).toHaveValue('');
});

test('today in the name of a campaign is the day of the account', async () => {
  await openApp({
    main: ({ launch }) => ({
      'launch.list': async (...input) => ({ ...(await launch.list(...input)), today: '2031-01-02' }),
    }),
  });
  await page.keyboard.press('Alt+Shift+M');
  await page.getByLabel('Campaign name').fill('Pots [today]');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Pots 2031-01-02' })).toBeVisible();
});

test('a name with today is not sent unfinished if the day cannot be read', async () => {
  let isAway = true;
  await openApp({
    main: ({ launch }) => ({
      'launch.list': async (...input) => {
        if (isAway) throw new ORPCError('NOT_WRITABLE', { defined: true, data: { why: 'disk-full' } });
        return { ...(await launch.list(...input)), today: '2031-01-02' };
      },
    }),
  });
  await page.keyboard.press('Alt+Shift+M');
  await page.getByLabel('Campaign name').fill('Pots [month]');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText("Today's date couldn't be read for the name.").first()).toBeVisible();
  isAway = false;
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Pots 2031-01' })).toBeVisible();
});

test('Enter adds no item that was found for an earlier text of the search', async () => {
  const held = Promise.withResolvers<void>();
  await openApp({
    main: () => ({
      'items.find': async ({ text }) => {
        if (text === 'lid') await held.promise;
        const named = { itemId: text === 'lid' ? '10000002' : '10000001', name: `A ${text}` };
        const item = { ...named, suggestedBidCents: null, imageUrl: null, pageUrl: null, variants: [] };
        return { isOffline: false, items: [item] };
      },
    }),
  });
  await page.keyboard.press('Alt+Shift+M');
  const search = page.getByLabel('Search items');
  const chosen = page.getByRole('list', { name: 'Chosen items' });
  await search.fill('pan');
  await expect(page.getByRole('option', { name: /A pan/ })).toBeVisible();
  await search.fill('lid');
  await page.keyboard.press('Enter');
  await expect(page.getByText('0 items', { exact: true })).toBeVisible();
  await expect(chosen).toHaveCount(0);
  held.resolve();
  await expect(page.getByRole('option', { name: /A lid/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(chosen).toContainText('10000002');
  await expect(chosen).not.toContainText('10000001');
});

test('a form is kept as a template, begun with again, and filled from a campaign that is there', async () => {
  const app = await openApp();
  const dialog = page.getByRole('main', { name: 'New campaign' });
  const startFrom = async (name: string) => {
    await dialog.getByRole('button', { name: 'Start from' }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
  const create = dialog.getByRole('button', { name: 'Create draft' });

  await step('a form is kept under a name, and its tokens are filled in', async () => {
    await page.keyboard.press('Alt+Shift+M');
    await dialog.getByLabel('Campaign name').fill('[month] pots');
    await dialog.getByLabel('Daily budget (USD)').fill('25');
    await dialog.getByLabel('Keywords, one per line').fill('pot\tphrase\t1.20\npan');
    await dialog.getByRole('button', { name: 'Save as template' }).click();
    await page.getByLabel('Template name').fill('Pots');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Template Pots saved.')).toBeVisible();
    await create.click();
    await expect(page.getByRole('heading', { level: 1, name: /\d{4}-\d{2} pots/ })).toBeVisible();
  });

  await step('a new campaign begins with it, whatever type was asked for', async () => {
    await page.keyboard.press('Alt+Shift+V');
    await startFrom('Search Brand Amplifier (SBA)');
    await expect(dialog.getByLabel('Campaign name')).toHaveValue('Brand [month]');
    await expect(dialog.getByRole('radio', { name: /SBA|brand/i })).toBeChecked();
    await startFrom('Pots');
    await expect(dialog.getByLabel('Campaign name')).toHaveValue('[month] pots');
    await expect(dialog.getByRole('radio', { name: /manual/ })).toBeChecked();
    await expect(dialog.getByLabel('Daily budget (USD)')).toHaveValue('25');
    await dialog.getByLabel('Campaign name').fill('More pots');
    await create.click();
    await expect(page.getByRole('heading', { level: 1, name: /More pots/ })).toBeVisible();
  });

  await step('the form is filled from a campaign, with the bids of its keywords', async () => {
    await app.openList('Campaigns');
    await (await app.cell('More pots', 'Campaign')).click();
    await page.keyboard.press('Alt+Shift+K');
    await expect(dialog.getByLabel('Keywords, one per line')).toHaveValue('pot\tphrase\t1.20\npan\tbroad\t1.50');
    await dialog.getByLabel('Campaign name').fill('Even more pots');
    await create.click();
    await expect(page.getByRole('heading', { level: 1, name: /Even more pots/ })).toBeVisible();
    await app.openKeywords();
    await expect(await app.cell('pot', 'Bid')).toHaveText('$1.20');
  });

  await step('a template is removed', async () => {
    await page.keyboard.press('Alt+Shift+M');
    await startFrom('Delete template Pots');
    await expect(page.getByText('Template Pots deleted.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Start from' }).click();
    await expect(page.getByRole('menuitem', { name: 'Pots', exact: true })).toBeHidden();
  });
});

test('a list that is empty because there is no campaign offers to create one of the right type', async () => {
  const app = await openApp();
  await app.openList('Video profiles');
  await page.getByRole('button', { name: 'New campaign', exact: true }).last().click();
  const form = page.getByRole('main', { name: 'New campaign' });
  await expect(form.getByRole('radio', { name: /Video/ })).toBeChecked();
});

test('what is typed into the form of a new campaign stays until it is created or discarded', async () => {
  const app = await openApp();
  await app.newManual('Pots', 'pot');
  const form = page.getByRole('main', { name: 'New campaign' });
  const name = form.getByLabel('Campaign name');
  const question = page.getByRole('dialog', { name: 'Discard what you typed?' });
  const answer = async (button: 'Keep form' | 'Discard') => {
    await question.getByRole('button', { name: button }).click();
    await expect(question).toBeHidden();
  };
  const startFrom = async (template: string) => {
    await form.getByRole('button', { name: 'Start from' }).click();
    await page.getByRole('menuitem', { name: template, exact: true }).click();
  };

  await step('the type that was chosen is still there after another screen', async () => {
    await page.keyboard.press('Alt+Shift+M');
    await form.getByRole('radio', { name: /SBA/ }).click();
    await form.getByLabel('Headline').fill('Soft on hands');
    await page.keyboard.press('Control+,');
    await expect(page.getByRole('heading', { level: 1, name: 'Appearance' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(form.getByRole('radio', { name: /SBA/ })).toBeChecked();
    await expect(form.getByLabel('Headline')).toHaveValue('Soft on hands');
  });

  await step('a command chooses another type for it', async () => {
    await page.keyboard.press('Alt+Shift+V');
    await expect(form.getByRole('radio', { name: /Video/ })).toBeChecked();
    await page.keyboard.press('Alt+Shift+B');
    await expect(form.getByLabel('Headline')).toHaveValue('Soft on hands');
  });

  await step('a template asks first; an empty form is empty', async () => {
    await startFrom('Sponsored products, manual');
    await answer('Keep form');
    await expect(form.getByLabel('Headline')).toHaveValue('Soft on hands');
    await startFrom('Empty form');
    await answer('Discard');
    await expect(form.getByLabel('Headline')).toHaveValue('');
    await startFrom('Sponsored products, manual');
    await expect(name).toHaveValue('Manual [month]');
  });

  await step('Cancel asks first', async () => {
    const cancel = form.getByRole('button', { name: 'Cancel' });
    await name.fill('Pans');
    await cancel.click();
    await answer('Keep form');
    await expect(name).toHaveValue('Pans');
    await cancel.click();
    await answer('Discard');
    await expect(form).toBeHidden();
  });

  await step('also over a reload of the page, in the account it is for', async () => {
    await page.keyboard.press('Alt+Shift+M');
    await name.fill('Sieves');
    await form.getByLabel('Keywords, one per line').fill('sieve');
    window.dispatchEvent(new Event('pagehide'));
    await app.reload();
    await page.keyboard.press('Alt+Shift+M');
    await expect(name).toHaveValue('Sieves');
    await expect(form.getByLabel('Keywords, one per line')).toHaveValue('sieve');
  });

  await step('Create draft and Cancel come after all that is filled in', async () => {
    const order = [...document.querySelectorAll('main form :is(input, select, textarea, button)')];
    check(order.slice(-2).map(({ textContent }) => textContent)).toEqual(['Cancel', 'Create draftCtrl+Enter']);
    await form.getByRole('button', { name: 'Cancel' }).click();
    await answer('Discard');
  });

  await step('so does a form that is based on a campaign, which stays as it is when a pane is opened', async () => {
    await page.keyboard.press('Alt+Shift+M');
    await expect(name).toHaveValue('');
    await name.fill('Lids');
    await app.openList('Campaigns');
    await (await app.cell('Pots', 'Campaign')).click();
    await page.keyboard.press('Alt+Shift+K');
    await answer('Keep form');
    await page.keyboard.press('Alt+Shift+K');
    await answer('Discard');
    await expect(form.getByLabel('Keywords, one per line')).toHaveValue(/^pot/);
    const search = form.getByLabel('Search items');
    await search.fill('kettle');
    await page.keyboard.press('Alt+J');
    await expect(app.drawer).toBeHidden();
    await expect(search).toHaveValue('kettle');
    await expect(search).toBeFocused();
    // Its results cover the fields below only while it has the focus.
    await expect(form.getByRole('listbox', { name: 'Items found' })).toBeVisible();
    await form.getByLabel('Keywords, one per line').focus();
    await expect(form.getByRole('listbox', { name: 'Items found' })).toHaveCount(0);
    await search.focus();
    await expect(form.getByRole('listbox', { name: 'Items found' })).toBeVisible();
  });
});
