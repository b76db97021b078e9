/**
 * A file of the library, which its host serves at this address.
 *
 * @returns null when the host has no such file, or is away
 */
export async function readFile(url: string, name: string): Promise<File | null> {
  try {
    const answer = await fetch(url);
    if (!answer.ok) return null;
    const bytes = await answer.blob();
    return new File([bytes], name, { type: bytes.type });
  } catch (error) {
    // So a browser says that nobody answered, or that the answer broke off.
    if (error instanceof TypeError) return null;
    throw error;
  }
}
