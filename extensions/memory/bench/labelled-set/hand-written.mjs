/**
 * Hand-written part of the labelled set: a document, a query with its words, and queries in other words. Each
 * text was written for this project.
 */
export const HAND_WRITTEN = [
  [
    "The spare key is under the blue flower pot.",
    "Where is the spare key?",
    ["How do I get into the house when I am locked out?"],
  ],
  [
    "Rubbish is collected on Thursday, paper every second week.",
    "When is rubbish collected?",
    ["On which day do I put the bins outside?"],
  ],
  [
    "The alarm of the flat is switched off with the code on the fridge.",
    "Where is the code of the alarm?",
    ["How do I silence the siren at home?"],
  ],
  [
    "Our physician is Dr Okafor in Mill Lane.",
    "Who is our physician?",
    ["Which doctor do we see when somebody is sick?"],
  ],
  [
    "The car needs winter tyres from November.",
    "From when does the car need winter tyres?",
    ["What must I change on the vehicle before snow comes?"],
  ],
  [
    "Grandmother's soup: leeks, potatoes, nutmeg, and cream at the end.",
    "What is in grandmother's soup?",
    ["Which ingredients go into the family broth recipe?"],
  ],
  [
    "The landlord wants rent on the first working day of the month.",
    "When does the landlord want rent?",
    ["By when do I have to pay for the apartment?"],
  ],
  [
    "Never restart the mail server during payroll.",
    "When must the mail server not be restarted?",
    ["At what time is it dangerous to reboot the machine for e-mail?"],
  ],
  [
    "The staging password rotates every ninety days.",
    "How often does the staging password rotate?",
    ["How long are the test environment credentials valid?"],
  ],
  [
    "We chose tabs over spaces after a vote of five to two.",
    "Why did we choose tabs over spaces?",
    ["What is the indentation convention of the team?"],
  ],
  [
    "The customer insists on invoices in Portuguese.",
    "What does the customer insist on?",
    ["In what language should bills be written?"],
  ],
  [
    "Standup is at half past nine in the kitchen.",
    "When is standup?",
    ["At what hour does the daily team meeting begin?"],
  ],
  [
    "Flights to Oslo are cheapest on Wednesdays.",
    "When are flights to Oslo cheapest?",
    ["Which weekday should I book plane tickets to Norway for?"],
  ],
  [
    "The hotel in Vienna has a sauna on the roof.",
    "Where is the sauna of the hotel in Vienna?",
    ["In which accommodation could I relax in steam above the city?"],
  ],
  [
    "Take the red line to the harbour, then walk ten minutes.",
    "Which line goes to the harbour?",
    ["How do I get to the docks by public transport?"],
  ],
  [
    "The insurance covers water damage but not burglary.",
    "What does the insurance cover?",
    ["Would we be reimbursed if thieves broke in?"],
  ],
  [
    "My blood type is O negative.",
    "What is my blood type?",
    ["What should a hospital know before a transfusion?"],
  ],
  [
    "I take the white pills twice a day, with food.",
    "When do I take the white pills?",
    ["How should I swallow my medication?"],
  ],
  [
    "The physiotherapist told me to stretch the left calf every morning.",
    "What did the physiotherapist tell me?",
    ["Which exercise is good for my leg?"],
  ],
  [
    "Our wifi is called Otterhouse and needs no guest password.",
    "What is our wifi called?",
    ["How can visitors get on the internet at our place?"],
  ],
  [
    "The lawnmower is lent to the neighbours until Easter.",
    "Where is the lawnmower?",
    ["Who has the machine for cutting grass?"],
  ],
  [
    "Seedlings go outside after the last frost in mid May.",
    "When do seedlings go outside?",
    ["From what date is it warm enough to plant young tomatoes in the garden?"],
  ],
  [
    "The cellar floods when it rains for two days.",
    "When does the cellar flood?",
    ["Which room gets wet after long storms?"],
  ],
  [
    "Fuse number seven belongs to the oven.",
    "Which fuse belongs to the oven?",
    ["Which circuit breaker turns the stove off?"],
  ],
  [
    "The tax declaration is due at the end of July.",
    "When is the tax declaration due?",
    ["What is the last day to file with the revenue office?"],
  ],
  [
    "Savings go to the credit union, not to the big bank.",
    "Where do savings go?",
    ["In which institution do we put money aside?"],
  ],
  [
    "The choir rehearses on Monday evening in the chapel.",
    "When does the choir rehearse?",
    ["When do we practise singing together?"],
  ],
  [
    "The telescope needs a new eyepiece of 32 millimetres.",
    "What does the telescope need?",
    ["What should I buy to look at the stars better?"],
  ],
  [
    "My shoe size is 43, in boots 44.",
    "What is my shoe size?",
    ["How big are my feet for ordering footwear?"],
  ],
  [
    "I prefer an aisle seat near the exit.",
    "Which seat do I prefer?",
    ["Where do I like to sit on a plane?"],
  ],
  [
    "Please answer me in short sentences without emojis.",
    "How should you answer me?",
    ["What style of reply do I like?"],
  ],
  ["I am a vegetarian but I eat eggs.", "Do I eat eggs?", ["Can you cook me a steak?"]],
  [
    "The quarterly report goes to the auditors, not to the board.",
    "Who gets the quarterly report?",
    ["Where do we send the financial statement every three months?"],
  ],
  [
    "The API returns 409 when a booking overlaps another.",
    "When does the API return 409?",
    ["What response comes back for two reservations at the same time?"],
  ],
  [
    "Feature flags are removed one sprint after the rollout.",
    "When are feature flags removed?",
    ["When do we clean up toggles?"],
  ],
  [
    "The build agent in the corner overheats in summer.",
    "What happens to the build agent in summer?",
    ["Which computer for continuous integration gets too hot?"],
  ],
  [
    "Personal data is deleted after thirty days.",
    "When is personal data deleted?",
    ["How long do we retain private information about users?"],
  ],
  [
    "We rejected GraphQL because caching was harder.",
    "Why did we reject GraphQL?",
    ["What was the argument against the query language for our interface?"],
  ],
  [
    "Releases are tagged by the person on call.",
    "Who tags releases?",
    ["Whose duty is it to mark a new version?"],
  ],
  [
    "The logs are rotated at midnight and kept for a week.",
    "When are the logs rotated?",
    ["How far back can I look in the server journal?"],
  ],
  [
    "The violin teacher charges forty euros an hour.",
    "What does the violin teacher charge?",
    ["How expensive are the music lessons?"],
  ],
  [
    "School holidays start on 26 June.",
    "When do school holidays start?",
    ["From when are the children free in summer?"],
  ],
  [
    "The babysitter can stay until eleven.",
    "Until when can the babysitter stay?",
    ["How late may the nanny look after the kids?"],
  ],
  [
    "The rabbit hutch must be cleaned twice a week.",
    "How often must the rabbit hutch be cleaned?",
    ["When do the bunnies need fresh straw?"],
  ],
  [
    "The vet recommended grain-free food.",
    "What did the vet recommend?",
    ["What diet is advised for the animal?"],
  ],
  [
    "The sourdough starter is fed on Sundays.",
    "When is the sourdough starter fed?",
    ["What do I have to do with the yeast culture for bread, and when?"],
  ],
  [
    "Coffee beans: the roastery in Dock Street, medium roast.",
    "Where do the coffee beans come from?",
    ["In which shop do I buy espresso supplies?"],
  ],
  [
    "The bicycle is locked behind the gymnasium.",
    "Where is the bicycle locked?",
    ["Where did I leave my bike?"],
  ],
  [
    "The novel's villain must not appear before chapter six.",
    "Before which chapter must the villain not appear?",
    ["When may the antagonist enter the story?"],
  ],
  [
    "The magazine wants 1,200 words by the tenth.",
    "What does the magazine want?",
    ["How long should the article for the editors be?"],
  ],
  [
    "The photographs of the wedding are on the grey hard disk.",
    "Where are the photographs of the wedding?",
    ["On which drive did we store pictures from the marriage ceremony?"],
  ],
  [
    "Uncle Albert cannot hear on the right side.",
    "On which side can uncle Albert not hear?",
    ["Which ear of my relative is deaf?"],
  ],
  [
    "The museum is free on the first Sunday.",
    "When is the museum free?",
    ["On what day does the gallery cost no entrance fee?"],
  ],
  [
    "The tent leaks at the front pole.",
    "Where does the tent leak?",
    ["What is broken in our camping equipment?"],
  ],
  [
    "Cash for the market is in the biscuit tin.",
    "Where is the cash for the market?",
    ["Where do we hide coins and notes for shopping?"],
  ],
  [
    "The heating engineer needs access to the attic.",
    "What does the heating engineer need?",
    ["To which part of the house must the radiator technician get?"],
  ],
  [
    "The chess club meets in the back room of the Golden Lion.",
    "Where does the chess club meet?",
    ["In which pub do we play board games?"],
  ],
  [
    "My thesis compares glacier melt in Iceland and Patagonia.",
    "What does my thesis compare?",
    ["What is my dissertation about?"],
  ],
  [
    "The river path is closed until the bridge is repaired.",
    "Why is the river path closed?",
    ["Which walking route is blocked at the moment?"],
  ],
  [
    "The electricity meter is read on the third of January.",
    "When is the electricity meter read?",
    ["On what date does somebody check our power consumption?"],
  ],
];

/** Queries that no document of the set answers. */
export const UNANSWERABLE = [
  "What is the capital of Mongolia?",
  "How many moons does Neptune have?",
  "Who painted the ceiling of the Sistine Chapel?",
  "What is the boiling point of ethanol?",
  "Which chemical element has the symbol W?",
  "How tall is Mount Kilimanjaro?",
  "What year did the French revolution begin?",
  "How do I tie a bowline knot?",
  "What is the airspeed velocity of an unladen swallow?",
  "Which team won the world cup in 1998?",
  "What does our helicopter cost per hour?",
  "Where is the submarine parked?",
  "Which vaccine did the llama get?",
  "What is the serial number of the dishwasher?",
  "How many solar panels are on the barn?",
  "What did the astrologer predict?",
  "Which tattoo did the judge choose?",
  "What is the name of our yacht?",
  "When does the casino open?",
  "How thick is the wall of the vault?",
  "Which perfume did the ambassador like?",
  "Who repaired the cuckoo clock?",
  "What was the score of the ice hockey match?",
  "When was the swimming pool drained?",
  "Where did we bury the time capsule?",
];
