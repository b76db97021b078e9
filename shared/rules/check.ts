import type { CampaignTree } from '../model/campaign-tree.ts';
import type { Row } from '../model/row.ts';
import { type AccountCampaign, checkAccountNames, checkLibrary } from './account.ts';
import { checkAdGroups } from './ad-group.ts';
import { checkAdItems } from './ad-item.ts';
import { checkClickUrls, checkSbaContent, checkSbaStates } from './brand-profile.ts';
import { checkCampaignBasics, checkCampaignBudget, checkCampaignState, checkReadiness } from './campaign.ts';
import { checkKeywords } from './keyword.ts';
import { checkMediaRow, checkVideoProfiles } from './media.ts';
import { checkMultipliers } from './multiplier.ts';
import { checkRepeatedRejection } from './repeated-rejection.ts';
import { type Issue, newReport, type RuleEnv } from './rule.ts';
import { checkUnknownWords } from './unknown-words.ts';

/** All issues of a campaign and its rows. */
export function checkCampaign(whole: CampaignTree, env: RuleEnv): readonly Issue[] {
  const report = newReport();
  const tree = checkUnknownWords(whole, report);
  checkCampaignBasics(tree, env, report);
  checkCampaignBudget(tree, env, report);
  checkCampaignState(tree, env, report);
  checkReadiness(tree, env, report);
  checkAdGroups(tree, env, report);
  checkAdItems(tree, env, report);
  checkKeywords(tree, env, report);
  checkSbaContent(tree, env, report);
  checkClickUrls(tree, env, report);
  checkSbaStates(tree, env, report);
  checkVideoProfiles(tree, env.profile.media.processingMinutes, report);
  checkRepeatedRejection(tree, env, report);
  checkMultipliers(tree, env, report);
  return report.issues;
}

/** Issues that need the whole account: names of campaigns, and files within the media library. */
export function checkAccount(
  campaigns: readonly AccountCampaign[],
  media: readonly Row<'media'>[],
  env: RuleEnv,
): readonly Issue[] {
  const report = newReport();
  checkLibrary(media, report);
  return [...checkAccountNames(campaigns, env), ...report.issues];
}

/** Issues of one file of the library. */
export function checkMedia(row: Row<'media'>, env: RuleEnv): readonly Issue[] {
  const report = newReport();
  checkMediaRow(row, env, report);
  return report.issues;
}
