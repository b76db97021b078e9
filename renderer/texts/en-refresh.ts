import { countText, plural } from './numbers.ts';

/** Texts of reading again only what may have changed. */
export const enRefresh = {
  title: 'Refresh what may be out of date',
  lead: 'Campaigns are read again with all that hangs from them. What you edited stays.',
  hours: 'Read again what was not read for (hours)',
  hoursHint: '0 reads every campaign.',
  bad: 'A whole number from 0 to 8,760',
  counting: 'Counting…',
  count: (campaigns: number, all: number) =>
    campaigns === 0
      ? `None of ${plural(all, 'campaign')} has to be read.`
      : `${countText(campaigns)} of ${plural(all, 'campaign')}`,
  why: {
    old: (n: number) => `${countText(n)} not read for so long, or never`,
    touched: (n: number) => `${countText(n)} with changes that are not sent`,
    inReview: (n: number) => `${countText(n)} under review`,
    processing: (n: number) => `${countText(n)} with a video that is being worked on`,
    keptFresh: (n: number) => `${countText(n)} with the label "Keep fresh"`,
  },
  several: 'A campaign may stand in several of these lines; it is read once.',
  label: 'Give a campaign the label "Keep fresh" to have it read each time.',
  all: 'Read all',
  run: (campaigns: number) => (campaigns === 0 ? 'Nothing to read' : `Read ${plural(campaigns, 'campaign')}`),
} as const;
