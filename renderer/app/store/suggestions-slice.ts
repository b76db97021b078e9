import type { StateCreator } from 'zustand';
import type { SuggestionKind } from '../../../shared/suggestions/suggestion.ts';
import type { NavigationSlice } from './navigation-slice.ts';

/** Which suggestions are in front, and whose goal is being set beside them. */
export interface SuggestionsSlice {
  /** Null shows the first kind there is. */
  readonly suggestionKind: SuggestionKind | null;
  readonly chooseSuggestions: (kind: SuggestionKind | null) => void;
  /** `account`, `label:<name>` or `campaign:<id>`; null while goals are not shown. */
  readonly goalFor: string | null;
  readonly showGoals: (goalFor: string | null) => void;
  /** Goes to the suggestions, with those of a kind in front. */
  readonly openSuggestions: (kind: SuggestionKind | null, goalFor?: string | null) => void;
}

export const createSuggestionsSlice: StateCreator<SuggestionsSlice & NavigationSlice, [], [], SuggestionsSlice> = (
  set,
) => ({
  suggestionKind: null,
  chooseSuggestions: (suggestionKind) => set({ suggestionKind, goalFor: null }),
  goalFor: null,
  showGoals: (goalFor) => set({ goalFor }),
  openSuggestions: (suggestionKind, goalFor = null) => set({ suggestionKind, goalFor, place: 'suggestions' }),
});
