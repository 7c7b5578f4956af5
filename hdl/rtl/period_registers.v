// The next value of one period's registers when a flow is added to them or taken out; combinational.
// What is full stays full: what it holds is no longer known. ACCurate, sections II and IV-A.
module period_registers #(
    parameter RATE = 12,
    parameter COUNT = 7
) (
    input  wire             add,
    input  wire             remove,
    // Is the flow bottlenecked here?
    input  wire             here,
    input  wire [ RATE-1:0] current,
    input  wire [COUNT-1:0] m,
    input  wire [   RATE:0] b,
    input  wire [ RATE-1:0] b_max,
    input  wire [COUNT-1:0] elsewhere,
    output wire [COUNT-1:0] m_next,
    output wire [   RATE:0] b_next,
    output wire [ RATE-1:0] b_max_next,
    output wire [COUNT-1:0] elsewhere_next
);
  wire m_full = &m;
  wire elsewhere_full = &elsewhere;
  wire b_full = &b;
  wire there = ~here;

  wire m_up = add & here & ~m_full;
  wire m_down = remove & here & ~m_full & (m != 0);
  assign m_next = m + {{(COUNT - 1) {1'b0}}, m_up} - {{(COUNT - 1) {1'b0}}, m_down};

  wire any = elsewhere != 0;
  wire last = elsewhere == 1;
  wire e_up = add & there & ~elsewhere_full;
  wire e_down = remove & there & ~elsewhere_full & any;
  assign elsewhere_next =
      elsewhere + {{(COUNT - 1) {1'b0}}, e_up} - {{(COUNT - 1) {1'b0}}, e_down};

  // One adder does both: B + CR, or B - CR with a 1 carried in from one bit below.
  wire [RATE+2:0] wide = {1'b0, b, 1'b1} + {{2'b0, current} ^ {(RATE + 2) {remove}}, remove};
  wire [RATE+1:0] sum = wide[RATE+2:1];
  wire over = sum[RATE+1];
  wire b_moves = there & ~b_full & (add | (remove & any));
  assign b_next = remove & there & last ? {(RATE + 1) {1'b0}}
      : !b_moves ? b
      : over ? {(RATE + 1) {add}}
      : sum[RATE:0];

  assign b_max_next = add & there & (current > b_max) ? current : b_max;
endmodule
