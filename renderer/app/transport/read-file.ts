/**
 * Reads a file of the media library from its address on the host.
 *
 * @returns null when the host has no such file, or can't be reached
 */
export async function readFile(url: string, name: string): Promise<File | null> {
  try {
    const answer = await fetch(url);
    if (!answer.ok) return null;
    const bytes = await answer.blob();
    return new File([bytes], name, { type: bytes.type });
  } catch (error) {
    // How browsers report that no response arrived, or that it broke off.
    if (error instanceof TypeError) return null;
    throw error;
  }
}
