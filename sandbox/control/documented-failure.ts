import { messages } from '../messages.ts';

/**
 * What an ordered failure says when the order has no body: the text that the document lists for the call ("Errors",
 * the 200 with a message and the 500 lines), since a healthy sandbox never gives these answers by itself.
 */
export function documentedFailure(path: string, status: number): { readonly error: string } {
  if (path === '/api/v2/sba_profile' && status === 200) return { error: messages.sbaCreateException };
  if (path !== '/api/v2/sba_profile_image_upload') return { error: messages.unexpected };
  // Behind the upload stands another service; an answer of its own is quoted.
  return { error: status === 500 ? messages.uploadError : messages.uploadServiceAnswer(status) };
}
