// Pages that say how something is used come before those that derive it: the reference, then the how-tos and the guide.
const PLACES = [[/^api\/Omnivariate/, 65], [/^api\//, 60], [/^howto\//, 68], [/^guide\/|^api$/, 20]];

var Scorer = {
  // a method of many classes comes after the how-to of its name
  score: ([docname, title, anchor, descr, score, filename]) =>
    score + (PLACES.find(([place]) => place.test(docname)) ?? [null, 0])[1] - (/ method/.test(descr ?? "") ? 20 : 0),
  objNameMatch: 11, objPartialMatch: 6, objPrio: {0: 15, 1: 5, 2: -5}, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};
