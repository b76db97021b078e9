import type { Page } from '@playwright/test';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

/** Keys that a keyboard keeps for itself while it puts a text together: of an input method, or of an accent. */
type Own = 'Process' | 'Dead';

/** What such a keyboard does: a text that grows with each key, Enter which is its own as well, and the text at the end. */
async function compose(page: Page, key: Own, grows: readonly string[], end: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const press = async (name: string, windowsVirtualKeyCode: number): Promise<void> => {
    await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: name, windowsVirtualKeyCode });
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', key: name, windowsVirtualKeyCode });
  };
  for (const text of grows) {
    await press(key, 229);
    await session.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
  }
  await press('Enter', 13);
  await session.send('Input.insertText', { text: end });
  await session.detach();
}

test('what is typed reaches its cell: by an input method, with accents, and when the mouse goes on to another cell', {
  tag: '@grid',
}, async ({ page }) => {
  const desk = deskPage(page);
  await desk.ready();
  await desk.newManual('Pots', 'pot\npan\nlid');
  await desk.openKeywords();
  await expect(desk.grid).toHaveAttribute('aria-rowcount', '4');
  const keyword = page.getByRole('textbox', { name: 'New value for Keyword' });

  await (await desk.cell('pot', 'Keyword')).click();
  await compose(page, 'Process', ['に', 'にほ', 'にほん'], '日本');
  await expect(keyword).toHaveValue('日本');
  await keyword.press('Enter');
  await expect(await desk.cell('日本', 'Keyword')).toBeVisible();

  await (await desk.cell('pan', 'Keyword')).click();
  await compose(page, 'Dead', ['´'], 'é');
  await expect(keyword).toHaveValue('é');
  await keyword.press('Escape');
  await expect(await desk.cell('pan', 'Keyword')).toHaveText('pan');

  await (await desk.cell('lid', 'Bid')).dblclick();
  await page.getByRole('textbox', { name: 'New value for Bid' }).fill('2.22');
  await (await desk.cell('pan', 'Bid')).click();
  await expect(await desk.cell('lid', 'Bid')).toHaveText('$2.22');
  await expect(await desk.cell('pan', 'Bid')).toHaveAttribute('aria-selected', 'true');

  // The field that is clicked instead of Enter has the focus, and the value is written all the same.
  await (await desk.cell('pan', 'Bid')).dblclick();
  await page.getByRole('textbox', { name: 'New value for Bid' }).fill('3.33');
  await page.getByRole('button', { name: 'Columns' }).click();
  await expect(await desk.cell('pan', 'Bid')).toHaveText('$3.33');
});
