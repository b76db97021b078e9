import { countText, plural } from './numbers.ts';

/** Texts of reading again only what may have changed. */
export const enRefresh = {
  title: 'Refresh outdated campaigns',
  lead: 'Reads these campaigns and everything in them from the service. Your changes are kept.',
  hours: 'Refresh if older than (hours)',
  hoursHint: 'Enter 0 to refresh every campaign.',
  bad: 'Enter a whole number from 0 to 8,760.',
  counting: 'Counting…',
  count: (campaigns: number, all: number) =>
    campaigns === 0
      ? all === 1
        ? '1 campaign is up to date.'
        : `All ${countText(all)} campaigns are up to date.`
      : `${countText(campaigns)} of ${plural(all, 'campaign')}`,
  why: {
    old: (n: number) => `${countText(n)} not refreshed in that time`,
    touched: (n: number) => `${countText(n)} with unsynced changes`,
    inReview: (n: number) => `${countText(n)} in review`,
    processing: (n: number) => `${countText(n)} with a processing video`,
    keptFresh: (n: number) => `${countText(n)} with the label "Keep fresh"`,
  },
  several: 'A campaign can be counted in several lines. It is refreshed once.',
  label: 'To refresh a campaign every time, add the label "Keep fresh" to it.',
  all: 'Refresh all',
  run: (campaigns: number) => (campaigns === 0 ? 'Nothing to refresh' : `Refresh ${plural(campaigns, 'campaign')}`),
} as const;
