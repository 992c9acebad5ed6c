/** The same question, with each answer kept: whoever asks again gets what the first was told. */
export function askedOnce<Question extends readonly string[], Answer>(
  ask: (...question: Question) => Promise<Answer>,
): (...question: Question) => Promise<Answer> {
  const answers = new Map<string, Promise<Answer>>();
  return (...question) => {
    const key = question.join("\n");
    const answer = answers.get(key) ?? ask(...question);
    answers.set(key, answer);
    return answer;
  };
}
