import { type BadSheet, keyword, sheet } from './bad-sheet.ts';

/** Rows that are no rows, mean nothing that is there, or name files they may not have. */
export const ROWS_THAT_ARE_ODD: readonly BadSheet[] = [
  {
    id: 'I37',
    what: 'an unknown type of row',
    content: sheet('banner,Spring,Main,tea,exact,1.00', keyword('roll')),
    expect: { error: [2, /banner/], others: 1 },
  },
  {
    id: 'I38',
    what: 'a row without a type',
    content: sheet(',Spring,Main,tea,exact,1.00'),
    expect: { error: [2, /type of row/] },
  },
  {
    id: 'I39',
    what: 'a campaign that is nowhere',
    content: sheet('keyword,Autumn,Main,tea,exact,1.00', keyword('roll')),
    expect: { error: [2, /no campaign "Autumn"/], others: 1 },
  },
  {
    id: 'I40',
    what: 'an ad group that is nowhere',
    content: sheet('keyword,Spring,Other,tea,exact,1.00'),
    expect: { error: [2, /no ad group "Other"/] },
  },
  {
    id: 'I41',
    what: 'the same row twice',
    content: sheet(keyword('roll'), keyword('roll')),
    expect: { error: [3, /line 2/], others: 1 },
  },
  {
    id: 'I42',
    what: 'the same row twice in other letters',
    content: sheet(keyword('roll'), keyword('ROLL')),
    expect: { error: [3, /line 2/], others: 1 },
  },
  {
    id: 'I57',
    what: 'a file above the folder of the sheet',
    content: 'Type,Campaign,Ad group,Brand,Logo\nsba profile,Spring,Main,B,../../secret.png',
    expect: { error: [2, /outside of the sheet's folder/] },
  },
  {
    id: 'I58',
    what: 'a file by its whole path',
    content: 'Type,Campaign,Ad group,Brand,Logo\nsba profile,Spring,Main,B,/etc/passwd',
    expect: { error: [2, /outside of the sheet's folder/] },
  },
  {
    id: 'I59',
    what: 'a file by a path of Windows',
    content: 'Type,Campaign,Ad group,Brand,Logo\nsba profile,Spring,Main,B,C:\\secret.png',
    expect: { error: [2, /outside of the sheet's folder/] },
  },
  {
    id: 'I60',
    what: 'a file that is nowhere',
    content: 'Type,Campaign,Ad group,Brand,Logo\nsba profile,Spring,Main,B,none.png',
    expect: { error: [2, /neither beside the sheet/] },
  },
  {
    id: 'I61',
    what: 'rows in the wrong order',
    content:
      'Type,Campaign,Ad group,Campaign type,Keyword,Match type,Bid\nkeyword,Late,G,,tea,exact,1\nad group,Late,G,,,,\ncampaign,Late,,sponsoredProducts,,,',
    expect: { fine: { added: 3 } },
  },
  {
    id: 'I65',
    what: 'a row that says what is there already',
    content: sheet(keyword('tea')),
    expect: { fine: { unchanged: 1 } },
  },
  {
    id: 'I66',
    what: 'fewer cells than columns',
    content: sheet('keyword,Spring,Main,roll,exact'),
    expect: { fine: { added: 1 } },
  },
  {
    id: 'I67',
    what: 'more cells than columns',
    content: sheet(`${keyword('roll')},,,more`),
    expect: { fine: { added: 1 } },
  },
];
