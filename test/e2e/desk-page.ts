import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { placeOfList } from '../lists.ts';

export type DeskPage = ReturnType<typeof deskPage>;

const TYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  mp4: 'video/mp4',
  vtt: 'text/vtt',
  srt: 'application/x-subrip',
  png: 'image/png',
  jpg: 'image/jpeg',
};

/** The desk as a person meets it: by names on screen, never by class or structure. */
export function deskPage(page: Page) {
  const grid = page.getByRole('grid').or(page.getByRole('treegrid'));
  const navigation = page.getByRole('navigation');
  /** The cell in which a row's value of a column stands; the row is found by a text in it. */
  const cell = async (rowText: string, column: string): Promise<Locator> => {
    const header = grid.getByRole('columnheader', { name: column, exact: true });
    const index = await header.getAttribute('aria-colindex');
    // Rows of groups fold, and are no rows of the list.
    const row = grid.locator('[role="row"]:not([aria-expanded])').filter({ hasText: rowText }).first();
    return row.locator(`[aria-colindex="${index}"]`);
  };
  return {
    grid,
    navigation,
    inspector: page.getByRole('complementary', { name: 'Details' }),
    drawer: page.getByRole('region', { name: 'Issues, changes, sync and history' }),
    /** Waits until the first rows of the account can be there. */
    ready: async () => {
      await navigation.getByRole('button', { name: /^All campaigns/ }).click();
      await expect(page.getByRole('heading', { level: 1, name: 'Campaigns' })).toBeVisible();
    },
    openList: async (name: string) => {
      const [entry, tab] = placeOfList(name);
      await navigation
        .getByRole('button', { name: new RegExp(`^${entry} ?[\\d,]*$`) })
        .first()
        .click();
      // Files are shown as cards at first.
      if (name === 'Media') await page.getByRole('button', { name: 'Table' }).click();
      if (tab !== null) await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
      await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    },
    openCampaign: async (name: string) => {
      // Not the account above the list, which may have the same name.
      const listed = navigation.getByRole('listitem').getByRole('button', { name: new RegExp(name) });
      await listed.first().click();
      await expect(page.getByRole('heading', { level: 1, name: new RegExp(name) })).toBeVisible();
    },
    /** Makes a campaign with manual targeting and these keywords, one a line, and leaves it open. */
    newManual: async (name: string, keywords = '', dailyBudget = '') => {
      await page.keyboard.press('Alt+Shift+M');
      await page.getByLabel('Campaign name').fill(name);
      if (dailyBudget !== '') await page.getByLabel('Daily budget').fill(dailyBudget);
      if (keywords !== '') await page.getByLabel('Keywords, one per line').fill(keywords);
      await page.getByRole('button', { name: 'Create draft' }).click();
      await expect(page.getByRole('heading', { level: 1, name: new RegExp(name) })).toBeVisible();
    },
    /** Shows the keywords of the campaign that is open. */
    openKeywords: () => page.getByRole('tab', { name: /^Keywords/ }).click(),
    cell,
    /** Types another value into such a cell and writes it. */
    edit: async (rowText: string, column: string, value: string) => {
      await (await cell(rowText, column)).dblclick();
      const editor = page.getByRole('textbox', { name: `New value for ${column}` });
      await editor.fill(value);
      await editor.press('Enter');
      await expect(editor).toBeHidden();
    },
    activeCell: () => page.locator('#grid-active-cell'),
    /** Narrows the rows by a filter, typed as text. */
    filter: async (text: string) => {
      const box = page.getByRole('textbox', { name: 'Filter rows' });
      if ((await box.count()) === 0) await page.keyboard.press('Control+f');
      await box.fill(text);
    },
    /** Takes the previewed sheet in, and waits until its dialog is gone: while it is there it has the keys. */
    applySheet: async () => {
      const sheet = page.getByRole('dialog', { name: /\.csv$/ });
      await sheet.getByRole('button', { name: /^Import \d+ rows$/ }).click();
      await expect(sheet).toBeHidden();
    },
    /** Drops files from the disk onto the window or one of its parts, as a file manager would. */
    drop: async (paths: readonly string[], onto?: Locator) => {
      const files = paths.map((path) => ({
        name: basename(path),
        type: TYPES[path.split('.').at(-1) ?? ''] ?? '',
        base64: readFileSync(path).toString('base64'),
      }));
      const transfer = await page.evaluateHandle((sent) => {
        const data = new DataTransfer();
        for (const { name, type, base64 } of sent) {
          const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
          data.items.add(new File([bytes], name, { type }));
        }
        return data;
      }, files);
      const target = onto ?? page.getByRole('main');
      await target.dispatchEvent('dragover', { dataTransfer: transfer });
      await target.dispatchEvent('drop', { dataTransfer: transfer });
    },
  };
}

/** The page of a sync, from its plan to its results. */
export const syncPage = (page: Page): Locator => page.getByRole('main', { name: 'Sync plan' });
export const sendButton = (page: Page): Locator =>
  page.getByRole('button', { name: /^(Send [\d,]+ changes? to |Submit \d+ reviews?$)/ });
/** What a sync came to; `all` waits for one that left nothing behind. */
export const syncResult = (page: Page, all = false): Locator =>
  page.getByRole('heading', {
    level: 1,
    name: all ? /^(All [\d,]+ changes are|The change is) on the service$/ : /( on the service| submitted)$/,
  });

/** Plans a sync of everything, and waits until it can be sent. */
export async function openSyncPlan(page: Page): Promise<void> {
  await page.keyboard.press('Control+Enter');
  await expect(sendButton(page)).toBeEnabled();
}

/** Sends the plan that is open, waits for its results, and leaves them. */
export async function send(page: Page, all = false): Promise<void> {
  await sendButton(page).click();
  await expect(syncResult(page, all)).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();
}
