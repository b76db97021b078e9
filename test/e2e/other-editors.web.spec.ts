import { deskPage } from './desk-page.ts';
import { example } from './examples.ts';
import { expect, test } from './fixture.ts';

test('an export of another editor shows its mapping and becomes drafts', { tag: ['@sheets', '@long'] }, async ({
  page,
}) => {
  const desk = deskPage(page);
  await desk.ready();
  await desk.drop([example('other-editors/google-ads-editor.csv')]);
  const dialog = page.getByRole('dialog', { name: 'google-ads-editor.csv' });
  await expect(dialog.getByText('Converted from Google Ads Editor.')).toBeVisible();
  await expect(dialog.getByRole('list', { name: 'Not converted' })).toContainText(
    'Negative keywords are not available',
  );
  await dialog.getByText('Column mapping').click();
  await expect(dialog.getByRole('row', { name: 'Criterion Type Match type' })).toBeVisible();
  await desk.applySheet();
  await expect(desk.grid).toContainText('Garden hoses / Sprinklers');
});
