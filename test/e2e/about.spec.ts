import { readFileSync } from 'node:fs';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';

test('the program says what it runs on, what a helper would get, and what it carries', { tag: '@frame' }, async ({
  page,
}) => {
  const desk = deskPage(page);
  await desk.ready();
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox').fill('About Adslate');
  await page.keyboard.press('Enter');
  const about = page.getByRole('dialog', { name: 'About Adslate' });
  await expect(about).toContainText(/Node\s*24\.\d+\.\d+/);
  await expect(about).toContainText(/SQLite\s*3\.\d+\.\d+/);

  const shown = about.getByRole('region', { name: 'For support' });
  await expect(shown).toContainText('1 practice, 0 connected');
  const saved = page.waitForEvent('download');
  await about.getByRole('button', { name: 'Save this text' }).click();
  const file = await (await saved).path();
  expect(readFileSync(file, 'utf8')).toBe(await shown.locator('pre').textContent());

  await about.getByRole('tab', { name: 'Reliability' }).click();
  await expect(about.getByRole('region', { name: 'Reliability' })).toContainText('Simulated lives');
  await about.getByRole('tab', { name: 'Licences' }).click();
  await expect(about.getByRole('region', { name: 'Licences' })).toContainText(/zod \d+\.\d+\.\d+ \(MIT\)/);
  await page.keyboard.press('Escape');
  await expect(about).toBeHidden();
});
