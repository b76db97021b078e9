import { accountCampaignRules, accountMediaRules } from './account.ts';
import { adGroupRules } from './ad-group.ts';
import { adItemRules, itemCatalogRules } from './ad-item.ts';
import { clickUrlRules, sbaContent, sbaState } from './brand-profile.ts';
import { campaignBasics, campaignBudget, campaignReadiness, campaignState } from './campaign.ts';
import { keywordRules } from './keyword.ts';
import { captionRules, logoRules, mediaRules, videoFileRules, videoProfileRules } from './media.ts';
import { placementRules, platformRules } from './multiplier.ts';
import { sbaRejectionRules, videoMemory } from './repeated-rejection.ts';
import type { Rule } from './rule.ts';
import { WORD_RULES } from './unknown-words.ts';

/** All rules, family by family. Documentation, messages and the `issues` masks of the store derive from this list. */
export const RULES: readonly Rule[] = [
  campaignBasics,
  campaignBudget,
  campaignState,
  campaignReadiness,
  accountCampaignRules,
  adGroupRules,
  adItemRules,
  itemCatalogRules,
  keywordRules,
  sbaContent,
  clickUrlRules,
  sbaState,
  sbaRejectionRules,
  videoProfileRules,
  videoMemory,
  placementRules,
  platformRules,
  logoRules,
  videoFileRules,
  captionRules,
  mediaRules,
  accountMediaRules,
  ...Object.values(WORD_RULES),
].flatMap((family): readonly Rule[] => Object.values(family));

const BY_ID: ReadonlyMap<string, Rule> = new Map(RULES.map((rule) => [rule.id, rule]));

export const ruleById = (id: string): Rule | undefined => BY_ID.get(id);
