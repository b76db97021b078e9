import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { campaignsFor, keywordValues } from './big-workspace.ts';

export const KEYWORDS_A_CAMPAIGN = 600;

/** Writes a sheet of made-up campaigns with so many keywords, as the desk's benchmark imports it. */
export async function writeSheet(file: string, keywords: number): Promise<void> {
  const out = createWriteStream(file);
  const write = async (line: string): Promise<void> => {
    if (!out.write(`${line}\r\n`)) await once(out, 'drain');
  };
  await write('Type,Campaign,Ad group,Campaign type,Targeting,Total budget,Daily budget,Start,Bid,Keyword,Match type');
  let left = keywords;
  for (let c = 0; c < campaignsFor(keywords); c += 1) {
    await write(`campaign,Campaign ${c},,sponsoredProducts,manual,5000.00,50.00,2030-06-01,,,`);
    await write(`ad group,Campaign ${c},Group ${c},,,,,,,,`);
    for (let i = 0; i < Math.min(KEYWORDS_A_CAMPAIGN, left); i += 1) {
      const { text, matchType, bid } = keywordValues(c, i);
      await write(`keyword,Campaign ${c},Group ${c},,,,,,${(Number(bid) / 100).toFixed(2)},${text},${matchType}`);
    }
    left -= KEYWORDS_A_CAMPAIGN;
  }
  out.end();
  await once(out, 'finish');
}
